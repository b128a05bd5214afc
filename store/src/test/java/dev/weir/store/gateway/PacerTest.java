package dev.weir.store.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PacerTest {

    private static final long MILLI = 1_000_000;

    private final Pacer pacer = new Pacer(Duration.ofMillis(10), 0);

    @Test
    void goesAtThePaceAndCatchesUpWithinTheBurst() {
        int went = 0;
        for (long now = 0; now < 1_000 * MILLI; now += 3 * MILLI) {
            while (pacer.delayNanos(now) <= 0) {
                pacer.take(1_000, now);
                went++;
            }
        }

        assertThat(went).isBetween(1_000, 1_011);
    }

    @Test
    void aPauseGivesTheBurstAndNoMore() {
        int went = 0;
        long later = 60_000 * MILLI;
        while (pacer.delayNanos(later) <= 0) {
            pacer.take(1_000, later);
            went++;
        }

        assertThat(went).isEqualTo(11);
        assertThat(pacer.delayNanos(later)).isBetween(1L, MILLI);
    }
}
