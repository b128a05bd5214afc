package dev.weir.lab.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BackoffTest {
    private static final long MILLI = 1_000_000;

    private final Backoff backoff = new Backoff(64);

    @Test
    void manyAttemptsAtOnceWhileTheServiceAccepts() {
        assertThat(backoff.mayTry(0, 63)).isTrue();
        assertThat(backoff.mayTry(0, 64)).isFalse();
    }

    @Test
    void afterAFailureOneAttemptAtATimeAtDoublingDistances() {
        backoff.failed(0);
        assertThat(backoff.mayTry(10 * MILLI - 1, 0)).isFalse();
        assertThat(backoff.mayTry(10 * MILLI, 0)).isTrue();
        assertThat(backoff.mayTry(10 * MILLI, 1)).isFalse();

        backoff.failed(10 * MILLI);
        assertThat(backoff.nextTryNanos()).isEqualTo(30 * MILLI);
    }

    @Test
    void theDistanceIsBoundedAndASuccessEndsIt() {
        for (int i = 0; i < 100; i++) {
            backoff.failed(0);
        }
        assertThat(backoff.nextTryNanos()).isEqualTo(320 * MILLI);

        backoff.succeeded();
        assertThat(backoff.failing()).isFalse();
        assertThat(backoff.mayTry(0, 0)).isTrue();
    }
}
