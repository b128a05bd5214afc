package dev.weir.lab.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ZipfSamplerTest {
    private static final int DRAWS = 400_000;

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 1", "10, 0", "10, 0.5", "50, 0.9", "50, 1", "50, 1.2", "50, 3", "200, 0.99999999999"})
    void drawsEachRankWithItsExactProbability(int items, double exponent) {
        double[] expected = probabilities(items, exponent);
        long[] drawn = draw(items, exponent);

        double chiSquare = IntStream.range(0, items)
                .mapToDouble(i -> Math.pow(drawn[i] - DRAWS * expected[i], 2) / (DRAWS * expected[i]))
                .sum();

        int freedom = items - 1;
        // Five standard deviations above the mean of the chi-square distribution; the seed is fixed.
        assertThat(chiSquare).isLessThanOrEqualTo(freedom + 5 * Math.sqrt(2.0 * freedom));
    }

    @Test
    void reachesTheFarEndOfALongRange() {
        ZipfSampler sampler = new ZipfSampler(1_000_000_000L, 0.2);
        SplittableRandom random = new SplittableRandom(1);

        long[] drawn = IntStream.range(0, 10_000)
                .mapToLong(i -> sampler.sample(random))
                .toArray();

        assertThat(Arrays.stream(drawn).max().orElseThrow()).isBetween(990_000_000L, 1_000_000_000L);
        assertThat(Arrays.stream(drawn).min().orElseThrow()).isPositive();
    }

    @Test
    void refusesAnEmptyRangeAndWhatIsNoExponent() {
        assertThatIllegalArgumentException().isThrownBy(() -> new ZipfSampler(0, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new ZipfSampler(10, -0.1));
        assertThatIllegalArgumentException().isThrownBy(() -> new ZipfSampler(10, Double.NaN));
    }

    private static double[] probabilities(int items, double exponent) {
        double[] weights = IntStream.rangeClosed(1, items)
                .mapToDouble(k -> Math.pow(k, -exponent))
                .toArray();
        double sum = Arrays.stream(weights).sum();
        return Arrays.stream(weights).map(weight -> weight / sum).toArray();
    }

    private static long[] draw(int items, double exponent) {
        ZipfSampler sampler = new ZipfSampler(items, exponent);
        SplittableRandom random = new SplittableRandom(42);
        long[] drawn = new long[items];
        for (int i = 0; i < DRAWS; i++) {
            drawn[(int) sampler.sample(random) - 1]++;
        }
        return drawn;
    }
}
