package dev.weir.lab.compare;

import dev.weir.lab.compare.FigureResult.Compared;
import dev.weir.lab.compare.FigureResult.NotEnoughData;
import dev.weir.lab.compare.FigureResult.Verdict;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Says whether B differs from A in one figure, from the seconds of all runs. Works on logarithms, so that a change is a
 * ratio. No clock, no I/O; random numbers come in.
 *
 * <p>Two spreads make the interval, and the wider one counts. Within the runs: {@link BlockBootstrap} over their seconds.
 * Between the runs, since two starts of the same service never come out alike, and since the seconds of one short run
 * understate how far it wanders: the residuals of {@link DriftModel} under Student's t, which stays right for a handful of
 * runs whatever their seconds have in common. Resampling the runs as well, the usual hierarchical bootstrap, is not used:
 * with two to six runs a side its intervals are too narrow.
 *
 * <p>The floor stands apart from the interval: the largest difference that two runs of A show, A against A, drift taken
 * out. A difference is claimed only where the interval excludes none and the difference exceeds the floor. With normal
 * errors between runs, two of the same are then taken for different in 1.4 % of comparisons of two rounds, and in 5 % of
 * one round.
 */
final class Inference {
    /** Fewer seconds in a run than this say nothing. */
    static final int MIN_SECONDS = 3;
    /** Fewer runs a side than this have no spread. */
    static final int MIN_RUNS = 2;

    private static final double TAILS = 0.05;

    private final RandomGenerator random;
    private final int replicates;

    /**
     * Makes one.
     *
     * @param replicates of the bootstrap; 1,000 or more for steady intervals
     */
    Inference(RandomGenerator random, int replicates) {
        this.random = random;
        this.replicates = replicates;
    }

    /** Compares the sides in one figure. Runs may come in any order of positions; all must be of the same figure. */
    FigureResult compare(Figure figure, List<RunSeries> runs) {
        String missing = missing(runs);
        return missing.isEmpty() ? compared(figure, inOrder(runs)) : new NotEnoughData(figure, missing);
    }

    /**
     * The floor: the largest relative difference between two of the runs, all of the same side.
     *
     * @param logs logarithms of their figure, two runs or more
     */
    static double floor(double... logs) {
        return Math.expm1(Arrays.stream(logs).max().orElseThrow()
                - Arrays.stream(logs).min().orElseThrow());
    }

    private static List<RunSeries> inOrder(List<RunSeries> runs) {
        Map<Integer, RunSeries> ordered = new TreeMap<>();
        runs.forEach(run -> ordered.put(run.position(), run));
        return List.copyOf(ordered.values());
    }

    private static String missing(List<RunSeries> runs) {
        for (Side side : Side.values()) {
            long count = runs.stream().filter(run -> run.side() == side).count();
            if (count < MIN_RUNS) {
                return side + " has " + count + " usable run" + (count == 1 ? "" : "s") + "; it takes " + MIN_RUNS;
            }
        }
        int shortest = runs.stream().mapToInt(RunSeries::size).min().orElse(0);
        if (shortest < MIN_SECONDS) {
            return "the shortest run has " + shortest + " usable second" + (shortest == 1 ? "" : "s") + "; it takes "
                    + MIN_SECONDS;
        }
        return runs.size() < 4 ? runs.size() + " runs leave no spread to judge by; it takes 4" : "";
    }

    private Compared compared(Figure figure, List<RunSeries> runs) {
        DriftModel model = new DriftModel(runs.stream().map(RunSeries::side).toList());
        double[] logs = runs.stream().mapToDouble(RunSeries::log).toArray();
        double effect = model.effect(logs);
        Interval interval = overSeconds(runs, model).hull(overRuns(model, logs, effect));
        double low = Math.expm1(interval.low);
        double high = Math.expm1(interval.high);
        double[] steady = model.withoutDrift(logs);
        double floor = floor(of(Side.A, runs, steady));
        double a = Math.exp(mean(of(Side.A, runs, steady)));
        return new Compared(
                figure,
                a,
                a * Math.exp(effect),
                Math.expm1(effect),
                low,
                high,
                floor,
                verdict(figure, effect, low, high, floor));
    }

    private static Verdict verdict(Figure figure, double effect, double low, double high, double floor) {
        boolean excludesNone = low > 0 || high < 0;
        if (!excludesNone || Math.abs(effect) <= Math.log1p(floor)) {
            return Verdict.NO_DIFFERENCE;
        }
        return effect > 0 == figure.higherIsBetter() ? Verdict.FASTER : Verdict.SLOWER;
    }

    private Interval overSeconds(List<RunSeries> runs, DriftModel model) {
        BlockBootstrap bootstrap = new BlockBootstrap(random);
        double[] effects = new double[replicates];
        Arrays.setAll(
                effects,
                i -> model.effect(
                        runs.stream().mapToDouble(bootstrap::resampledLog).toArray()));
        Arrays.sort(effects);
        int tail = (int) (TAILS / 2 * replicates);
        return new Interval(effects[tail], effects[replicates - 1 - tail]);
    }

    private static Interval overRuns(DriftModel model, double[] logs, double effect) {
        double error = Math.sqrt(model.runVariance(logs) * model.effectVariance());
        double reach = error * StudentT.quantile(TAILS, model.freedom());
        return new Interval(effect - reach, effect + reach);
    }

    private record Interval(double low, double high) {
        Interval hull(Interval other) {
            return new Interval(Math.min(low, other.low), Math.max(high, other.high));
        }
    }

    private static double[] of(Side side, List<RunSeries> runs, double[] values) {
        return IntStream.range(0, values.length)
                .filter(i -> runs.get(i).side() == side)
                .mapToDouble(i -> values[i])
                .toArray();
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).average().orElse(0);
    }
}
