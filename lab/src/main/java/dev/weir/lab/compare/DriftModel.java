package dev.weir.lab.compare;

import java.util.Arrays;
import java.util.List;

/**
 * The linear model log(figure of run r) = level + effect x (is B) + drift x (position of r) + error, by least squares.
 * The drift takes out what changes steadily while the comparison runs, a machine that grows warmer or a disk that fills,
 * wherever the schedule is not balanced by itself.
 *
 * <p>Worked by the Frisch-Waugh-Lovell theorem: with what level and drift explain taken out of both sides, the effect is
 * a simple regression.
 */
final class DriftModel {
    private final double[] isB;
    private final double[] position;
    private final double[] isBAlone;
    private final double isBAloneSquared;

    /** Makes the model of a schedule. Both sides must occur; see {@link #freedom()} for how much can be said. */
    DriftModel(List<Side> schedule) {
        isB = schedule.stream().mapToDouble(side -> side == Side.B ? 1 : 0).toArray();
        position = new double[isB.length];
        Arrays.setAll(position, i -> i - (isB.length - 1) / 2.0);
        isBAlone = withoutLevelAndDrift(isB);
        isBAloneSquared = dot(isBAlone, isBAlone);
    }

    /** Runs beyond the three the model needs: what is left to estimate the error from. */
    int freedom() {
        return isB.length - 3;
    }

    /** The effect of B on the logarithm. */
    double effect(double[] logs) {
        return dot(isBAlone, logs) / isBAloneSquared;
    }

    /** The variance of {@link #effect} for a variance of 1 of each run. */
    double effectVariance() {
        return 1 / isBAloneSquared;
    }

    /** Change of the logarithm from one run to the next, whatever the side. */
    double drift(double[] logs) {
        double[] withoutEffect = minus(logs, isB, effect(logs));
        return dot(position, withoutEffect) / dot(position, position);
    }

    /** Variance of a run about the model; 0 freedom has no answer and must not ask. */
    double runVariance(double[] logs) {
        double[] residual = minus(withoutLevelAndDrift(logs), isBAlone, effect(logs));
        return dot(residual, residual) / freedom();
    }

    /** The logarithms with the drift taken out, as if every run had been in the middle of the schedule. */
    double[] withoutDrift(double[] logs) {
        return minus(logs, position, drift(logs));
    }

    private double[] withoutLevelAndDrift(double[] values) {
        double mean = Arrays.stream(values).average().orElse(0);
        double slope = dot(position, values) / dot(position, position);
        double[] rest = new double[values.length];
        Arrays.setAll(rest, i -> values[i] - mean - slope * position[i]);
        return rest;
    }

    private static double[] minus(double[] values, double[] other, double times) {
        double[] rest = new double[values.length];
        Arrays.setAll(rest, i -> values[i] - times * other[i]);
        return rest;
    }

    private static double dot(double[] one, double[] other) {
        double sum = 0;
        for (int i = 0; i < one.length; i++) {
            sum += one[i] * other[i];
        }
        return sum;
    }
}
