package dev.weir.store.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BehaviourTest {

    @Test
    void theDelayLiesBetweenTheLatencyAndTheLatencyWithItsJitter() {
        var behaviour = new Behaviour(20, 10, 0, 0, 0);
        var random = new SplittableRandom(1);

        assertThat(IntStream.range(0, 1_000).mapToLong(call -> behaviour.delayMillis(random)))
                .allMatch(millis -> millis >= 20 && millis <= 30)
                .contains(20L, 25L, 30L);
    }

    @Test
    void aSettingOutOfRangeIsNamedWithItsRange() {
        assertThatThrownBy(() -> Behaviour.DEFAULT.with("failureRate", 1.5))
                .hasMessage("failureRate is 1.5: give a number from 0 to 1.");
        assertThatThrownBy(() -> Behaviour.DEFAULT.with("latencyMillis", -1)).hasMessageContaining("from 0 to 600000");
        assertThatThrownBy(() -> Behaviour.DEFAULT.with("latencyMillis", 1.5)).hasMessageContaining("whole number");
        assertThatThrownBy(() -> Behaviour.DEFAULT.with("failureRate", Double.NaN))
                .hasMessageContaining("from 0 to 1");
        assertThatThrownBy(() -> Behaviour.DEFAULT.with("latency", 1)).hasMessageContaining("use latencyMillis");
    }
}
