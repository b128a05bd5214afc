package dev.weir.core.cache;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class CachesConfigTest {
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
