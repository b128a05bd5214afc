package dev.weir.store.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class OffsetLedgerTest {

    private final OffsetLedger ledger = new OffsetLedger();

    @Test
    void theLowestThatIsNotDoneIsWhereReadingGoesOn() {
        for (long offset = 10; offset < 15; offset++) {
            ledger.read(0, offset);
        }
        ledger.done(0, 12);
        ledger.done(0, 10);

        assertThat(ledger.committable()).isEqualTo(Map.of(0, 11L));
        ledger.done(0, 11);
        assertThat(ledger.committable()).isEqualTo(Map.of(0, 13L));
        ledger.done(0, 14);
        ledger.done(0, 13);
        assertThat(ledger.committable()).isEqualTo(Map.of(0, 15L));
    }

    @Test
    void aRecordReadTwiceDoesNotComeBack() {
        ledger.read(0, 1);
        ledger.done(0, 1);
        ledger.read(0, 1);

        assertThat(ledger.committable()).isEqualTo(Map.of(0, 2L));
    }

    @Test
    void whatEndsLateForAForgottenPartitionIsNothing() {
        ledger.read(3, 1);
        ledger.forget(3);
        ledger.done(3, 1);

        assertThat(ledger.committable()).isEmpty();
    }
}
