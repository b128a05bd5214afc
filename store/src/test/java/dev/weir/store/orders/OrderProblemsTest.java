package dev.weir.store.orders;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.payments.ChargeOutcome.Busy;
import dev.weir.store.payments.ChargeOutcome.Unreachable;
import dev.weir.store.payments.ChargeOutcome.Untried;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class OrderProblemsTest {

    private static final List<Untried> UNTRIED = List.of(new Busy(Duration.ofSeconds(1)), new Unreachable());

    @Test
    void anOrderThatMayHaveBeenChargedBeforeIsNotSaidToBeUncharged() {
        assertThat(UNTRIED)
                .extracting(outcome ->
                        OrderProblems.untried(outcome, true).getBody().getDetail())
                .allSatisfy(detail -> assertThat(detail)
                        .doesNotContain("nothing was charged")
                        .doesNotContain("order again")
                        .contains("may have been charged: send the same request with the same Idempotency-Key"));
    }

    @Test
    void anOrderThatWasNeverTriedIsOrderedAgain() {
        assertThat(UNTRIED)
                .extracting(outcome ->
                        OrderProblems.untried(outcome, false).getBody().getDetail())
                .noneSatisfy(detail -> assertThat(detail).contains("may have been charged"));
    }
}
