package dev.weir.core.cache;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RedisHealthTest {
    private static final long BOUND = 100;
    private static final long FENCE = 120;

    private final RedisHealth health = new RedisHealth(3, BOUND, FENCE);

    @BeforeEach
    void answers() {
        health.beatAnswered(0, 10);
        health.beatAnswered(80, 90);
    }

    @Test
    void isAskedForValuesAFenceAfterTheFirstAnsweredBeat() {
        assertThat(health.reachable()).isTrue();
        assertThat(health.usable(129)).isFalse();
        assertThat(health.usable(130)).isTrue();
    }

    @Test
    void isNotAskedForValuesABoundAfterTheLatestBeatItTookWasSent() {
        assertThat(health.usable(179)).isTrue();
        assertThat(health.usable(180)).isFalse();

        health.beatAnswered(195, 200);
        assertThat(health.usable(200)).as("behind the fence again").isFalse();
    }

    @Test
    void isLeftAloneAfterSoManyFailuresInARow() {
        health.failed();
        health.failed();
        health.answered();
        health.failed();
        health.failed();
        assertThat(health.usable(150)).isTrue();

        health.failed();
        assertThat(health.reachable()).isFalse();
        assertThat(health.usable(150)).isFalse();
    }
}
