package dev.weir.core.size;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ServerSizeTest {

    private static final Duration REUSE = Duration.ofMillis(150);

    /** 10,000/s at 50 ms. */
    @Test
    void theCeilingOfTheMissionIsSizedAsItsAuthorsDid() {
        ServerSize size = ServerSize.of(10_000, Duration.ofMillis(50), REUSE, 1.6);

        assertThat(size).isEqualTo(new ServerSize(500, 800, 100, 1_500, 8_192, 1_000));
    }

    @Test
    void aSmallServiceKeepsTomcatsDefaultsWhereLessSavesNothing() {
        ServerSize size = ServerSize.of(20, Duration.ofMillis(100), REUSE, 1.6);

        assertThat(size).isEqualTo(new ServerSize(2, 4, 4, 3, 8_192, 100));
    }

    @Test
    void aClientThatWaitsForItsAnswerHoldsItsConnectionForSoLong() {
        assertThat(ServerSize.of(1_000, Duration.ofSeconds(10), REUSE, 1).clientConnections())
                .isEqualTo(10_000);
    }

    @Test
    void nonsenseIsRefusedWithASentence() {
        assertThatThrownBy(() -> ServerSize.of(0, REUSE, REUSE, 1))
                .hasMessageStartingWith("A rate of 0.0/s, a latency of 150 ms");
        assertThatThrownBy(() -> ServerSize.of(1, REUSE, REUSE, 0.5))
                .hasMessage("A headroom of 0.5 was given: give 1 to 100.");
        assertThatThrownBy(() -> ServerSize.of(1e9, Duration.ofHours(1), REUSE, 1))
                .hasMessageStartingWith("3600000000000 threads would be needed");
    }
}
