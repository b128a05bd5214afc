package dev.weir.core.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class CacheConfigTest {
    private static final CacheConfig PRICES = CacheConfig.named("prices");

    @Test
    void aValueInRedisDoesNotExpireBeforeTheGuardThatItCarries() {
        CacheConfig brief = PRICES.withTtlWithoutRedis(Duration.ZERO).withNegativeTtl(Duration.ZERO);

        assertThatThrownBy(() -> brief.withTtl(Duration.ofSeconds(1), Duration.ofSeconds(2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Cache prices: shared-ttl is PT2S, shortened by ttl-jitter (0.1) to as little as PT1.8S;"
                        + " allowed is no less than guard-for (PT2S), which would end early. Raise shared-ttl, or lower"
                        + " guard-for or ttl-jitter.");
        assertThat(brief.withTtlJitter(0)
                        .withTtl(Duration.ofSeconds(1), Duration.ofSeconds(2))
                        .sharedTtl())
                .hasSeconds(2);
    }

    @Test
    void norDoesTheMarkThatThereIsNone() {
        assertThatThrownBy(() -> PRICES.withNegativeTtl(Duration.ofSeconds(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("negative-ttl is PT1S")
                .hasMessageContaining("allowed is 0 (not kept), or no less than guard-for (PT2S)");
        assertThatThrownBy(() -> PRICES.withGuardFor(Duration.ofSeconds(5)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("negative-ttl is PT5S");
        assertThat(PRICES.withNegativeTtl(Duration.ZERO).negativeTtl()).isZero();
    }

    @Test
    void aCommandTakesNoLongerThanTheBound() {
        CachesConfig common = CachesConfig.defaults();

        assertThatThrownBy(() -> common.withCommandTimeout(Duration.ofSeconds(3)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Caches: command-timeout is PT3S; allowed is 1 ms to staleness-bound (PT2S). Change"
                        + " command-timeout.");
        assertThatThrownBy(() -> common.withMaxRefreshes(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("max-refreshes is 0; allowed is 1 to 10,000");
    }
}
