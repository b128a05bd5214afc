package dev.weir.store.provider;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RateLimitTest {

    private static final long SECOND_NANOS = 1_000_000_000L;

    @Test
    void takesTheLimitInEachSecond() {
        var limit = new RateLimit(Long.MAX_VALUE - 10);
        long startNanos = Long.MAX_VALUE - 5;

        assertThat(limit.take(2, startNanos)).isTrue();
        assertThat(limit.take(2, startNanos)).isTrue();
        assertThat(limit.take(2, startNanos + SECOND_NANOS / 2)).isFalse();
        assertThat(limit.take(2, startNanos + SECOND_NANOS)).isTrue();
    }

    @Test
    void zeroIsNoLimit() {
        var limit = new RateLimit(0);
        for (int i = 0; i < 1_000; i++) {
            assertThat(limit.take(0, 0)).isTrue();
        }
    }
}
