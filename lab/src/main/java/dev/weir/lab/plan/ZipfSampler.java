package dev.weir.lab.plan;

import java.util.random.RandomGenerator;

/**
 * Draws ranks 1 to N with probability proportional to 1 / rank^exponent, exactly, without a table.
 *
 * <p>Rejection-inversion of W. Hörmann and G. Derflinger, "Rejection-inversion to generate variates from monotone
 * discrete distributions", ACM TOMACS 6(3), 1996, https://doi.org/10.1145/235025.235029. The continuous density
 * h(x) = x^-s lies over the discrete one: a point is drawn from its integral H by inversion, rounded to the nearest rank
 * and accepted where it falls into that rank's bar. For a convex h the bar of rank k reaches left of k by at least the
 * distance it does for k = 2, so that most draws are accepted by one comparison.
 */
final class ZipfSampler {
    private static final double TAYLOR_BELOW = 1e-8;

    private final long items;
    private final double exponent;
    private final double areaLow;
    private final double areaHigh;
    private final double acceptLeft;

    /** Takes 1 item or more and a finite exponent of 0 or more; 0 makes all ranks equally likely. */
    ZipfSampler(long items, double exponent) {
        if (items < 1 || !(exponent >= 0 && Double.isFinite(exponent))) {
            throw new IllegalArgumentException(items + " items, exponent " + exponent);
        }
        this.items = items;
        this.exponent = exponent;
        // Rank 1 gets exactly the area h(1) = 1 left of 1.5, where the curve over [0.5, 1.5] would have more.
        this.areaLow = area(1.5) - 1;
        this.areaHigh = area(items + 0.5);
        this.acceptLeft = 2 - inverseArea(area(2.5) - density(2));
    }

    /** Draws one rank, 1 to the number of items. */
    long sample(RandomGenerator random) {
        while (true) {
            double drawn = areaHigh + random.nextDouble() * (areaLow - areaHigh);
            double x = inverseArea(drawn);
            long rank = Math.clamp(Math.round(x), 1, items);
            if (rank - x <= acceptLeft || drawn >= area(rank + 0.5) - density((double) rank)) {
                return rank;
            }
        }
    }

    private double density(double x) {
        return Math.exp(-exponent * Math.log(x));
    }

    /** Integral of the density from 1 to x: (x^(1-s) - 1) / (1 - s), or ln x where s is 1. */
    private double area(double x) {
        double log = Math.log(x);
        return log * expm1Ratio((1 - exponent) * log);
    }

    private double inverseArea(double area) {
        // Rounding may push it below the pole of the logarithm at -1.
        double scaled = Math.max(-1, area * (1 - exponent));
        return Math.exp(area * log1pRatio(scaled));
    }

    /** (e^t - 1) / t, continued to 1 at t = 0. */
    private static double expm1Ratio(double t) {
        return Math.abs(t) > TAYLOR_BELOW ? Math.expm1(t) / t : 1 + t / 2;
    }

    /** ln(1 + t) / t, continued to 1 at t = 0. */
    private static double log1pRatio(double t) {
        return Math.abs(t) > TAYLOR_BELOW ? Math.log1p(t) / t : 1 - t / 2;
    }
}
