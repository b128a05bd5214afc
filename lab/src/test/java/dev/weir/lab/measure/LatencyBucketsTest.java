package dev.weir.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LatencyBucketsTest {
    private final LatencyBuckets buckets = new LatencyBuckets();

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 31, 32, 63, 64, 65, 1_000, 123_456_789, 3_600_000_000_000L})
    void everyValueIsKeptWithinTwoPercent(long nanos) {
        buckets.record(nanos);

        assertThat((double) buckets.quantileNanos(0.5)).isCloseTo((double) nanos, withinPercentage(2));
    }

    @Test
    void quantilesCountFromBelow() {
        for (int i = 1; i <= 100; i++) {
            buckets.record(i * 1_000_000L);
        }

        assertThat((double) buckets.quantileNanos(0.5)).isCloseTo(50e6, withinPercentage(2));
        assertThat((double) buckets.quantileNanos(0.99)).isCloseTo(99e6, withinPercentage(2));
        assertThat((double) buckets.quantileNanos(1)).isCloseTo(100e6, withinPercentage(2));
    }

    @Test
    void whatIsOutOfRangeCountsAtItsEnd() {
        buckets.record(-5);
        assertThat(buckets.quantileNanos(1)).isZero();

        buckets.record(Long.MAX_VALUE);
        assertThat(buckets.quantileNanos(1)).isGreaterThan(4_000_000_000_000L);
    }

    @Test
    void emptyBucketsAnswerZero() {
        assertThat(buckets.quantileNanos(0.99)).isZero();
    }

    @Test
    void sumsAreAsIfRecordedInOne() {
        LatencyBuckets other = new LatencyBuckets();
        buckets.record(1_000);
        other.record(9_000);
        buckets.add(other);

        assertThat((double) buckets.quantileNanos(0.5)).isCloseTo(1_000, withinPercentage(2));
        assertThat((double) buckets.quantileNanos(1)).isCloseTo(9_000, withinPercentage(2));
    }
}
