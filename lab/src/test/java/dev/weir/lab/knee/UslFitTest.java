package dev.weir.lab.knee;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.weir.lab.knee.UslFit.Point;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class UslFitTest {
    private static final double[] LOADS = {1, 2, 4, 8, 16, 32, 64};

    @Test
    void findsTheParametersOfExactData() {
        Usl usl = requireNonNull(UslFit.of(points(1000, 0.05, 0.001, 0, 1)));
        assertThat(usl.lambda()).isCloseTo(1000, within(1.0));
        assertThat(usl.sigma()).isCloseTo(0.05, within(1e-3));
        assertThat(usl.kappa()).isCloseTo(0.001, within(1e-5));
        assertThat(usl.peakInFlight()).isCloseTo(Math.sqrt(0.95 / 0.001), within(0.5));
        assertThat(usl.relativeError()).isLessThan(1e-3);
    }

    @Test
    void staysNearTheParametersUnderNoise() {
        for (long seed = 1; seed <= 20; seed++) {
            Usl usl = requireNonNull(UslFit.of(points(1000, 0.05, 0.001, 0.02, seed)));
            assertThat(usl.peakInFlight()).isBetween(20.0, 50.0);
            assertThat(usl.relativeError()).isLessThan(0.05);
        }
    }

    @Test
    void neverLeavesItsBoundsOnLinearData() {
        for (long seed = 1; seed <= 20; seed++) {
            Usl usl = requireNonNull(UslFit.of(points(100, 0, 0, 0.03, seed)));
            assertThat(usl.sigma()).isBetween(0.0, 0.02);
            assertThat(usl.kappa()).isGreaterThanOrEqualTo(0);
        }
    }

    @Test
    void hasNoPeakWhereThroughputGrowsWithLoad() {
        Usl usl = requireNonNull(UslFit.of(points(100, 0, 0, 0, 1)));
        assertThat(usl.kappa()).isZero();
        assertThat(usl.peakInFlight()).isInfinite();
    }

    @Test
    void fitsTheCurveOfFixedWorkersAsContention() {
        List<Point> points = DoubleStream.of(LOADS)
                .mapToObj(load -> new Point(load, Math.min(load, 8) / 0.02))
                .toList();

        Usl usl = requireNonNull(UslFit.of(points));
        assertThat(usl.sigma()).isBetween(0.0, 1.0);
        assertThat(usl.kappa()).isGreaterThanOrEqualTo(0);
    }

    @Test
    void saysNothingWithoutFourDifferentLoads() {
        assertThat(UslFit.of(List.of())).isNull();
        assertThat(UslFit.of(List.of(new Point(1, 10), new Point(2, 20), new Point(3, 30))))
                .isNull();
        assertThat(UslFit.of(List.of(new Point(4, 10), new Point(4, 11), new Point(4, 10), new Point(4, 9))))
                .isNull();
        assertThat(UslFit.of(List.of(new Point(4, 10), new Point(4.2, 11), new Point(4.4, 10), new Point(4.6, 9))))
                .isNull();
    }

    private static List<Point> points(double lambda, double sigma, double kappa, double noise, long seed) {
        Random random = new Random(seed);
        return DoubleStream.of(LOADS)
                .mapToObj(load -> new Point(
                        load,
                        lambda
                                * load
                                / (1 + sigma * (load - 1) + kappa * load * (load - 1))
                                * (1 + noise * random.nextGaussian())))
                .toList();
    }
}
