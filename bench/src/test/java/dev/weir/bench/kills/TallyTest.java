package dev.weir.bench.kills;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.kills.Tally.Expected;
import dev.weir.bench.kills.Tally.Findings;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checker of the kill runs finds each kind of fault. */
class TallyTest {
    private final Tally tally = new Tally();

    private Findings against(int committed) {
        return tally.against(Map.of("k", Expected.all(committed)));
    }

    private void saw(int... numbers) {
        for (int number : numbers) {
            tally.saw("k", number, new UUID(0, number));
        }
    }

    @Test
    void repetitionsAreCountedAndAllowed() {
        saw(1, 2, 3, 2, 3, 4);
        assertThat(against(4)).isEqualTo(new Findings(4, 0, 0, 0, 2, 4));
        assertThat(against(4).holds()).isTrue();
    }

    @Test
    void findsWhatIsLost() {
        saw(1, 3);
        assertThat(against(5).lost()).isEqualTo(3);
        assertThat(against(5).holds()).isFalse();
        assertThat(new Tally().against(Map.of("k", Expected.all(2))).lost()).isEqualTo(2);
    }

    @Test
    void findsAFirstAppearanceBehindALaterEvent() {
        saw(1, 3, 2, 4);
        assertThat(against(4).outOfOrder()).isOne();
        assertThat(against(4).holds()).isFalse();
    }

    @Test
    void findsEventsThatShouldNotBe() {
        saw(1, 2);
        tally.saw("k", 2, new UUID(9, 9));
        assertThat(against(2).phantoms()).as("a number with two ids").isOne();
        assertThat(against(1).phantoms()).as("and one never committed").isEqualTo(2);
        tally.sawRolledBack();
        assertThat(against(2).phantoms()).isEqualTo(2);
        tally.saw("another", 1, new UUID(0, 1));
        assertThat(against(2).phantoms()).as("a key nobody wrote").isEqualTo(3);
    }

    @Test
    void anEventThatWasBegunAndNotAcknowledgedMayBeThereOrNot(@TempDir Path folder) throws Exception {
        Ledger ledger = new Ledger(folder.resolve("ledger"));
        assertThat(ledger.begin(1)).isOne();
        assertThat(ledger.begin(1)).isEqualTo(2);
        assertThat(ledger.begin(1)).isEqualTo(3);
        ledger.acknowledge(1, 2);
        Map<String, Expected> expected = Map.of("k", new Ledger(folder.resolve("ledger")).expected(1));
        assertThat(tally.against(expected).lost()).isOne();
        saw(2, 3);
        assertThat(tally.against(expected)).isEqualTo(new Findings(1, 0, 0, 0, 0, 2));
    }
}
