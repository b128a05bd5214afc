package dev.weir.bench.kills;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.kills.Trial.Outcome;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The short form of bench/kills: what is promised, with services, a broker and a database that are killed. */
class KillsIT {
    private static final int KILLS = 20;
    private static final Duration BROKER_AWAY = Duration.ofSeconds(4);

    @Test
    @Timeout(value = 400, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void nothingIsLostReorderedOrInventedAndTheConsumerDoesNothingTwice() throws Exception {
        Map<String, Outcome> outcomes = KillsMain.run(KILLS, BROKER_AWAY, 1);
        assertThat(outcomes).hasSize(4).allSatisfy((fault, outcome) -> {
            assertThat(outcome.of(Way.OUTBOX).acknowledged()).isGreaterThan(100);
            assertThat(outcome.of(Way.SPOOL).acknowledged()).isGreaterThan(100);
            assertThat(outcome.holds()).as("%s: %s", fault, outcome).isTrue();
        });
    }
}
