package dev.weir.lab.compare;

import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Runs of a service that does not exist: each second is level x drift x luck of the start x autocorrelated noise.
 *
 * @param effect ratio of B to A
 * @param driftPerRun relative change from one run to the next
 * @param runSpread standard deviation of the luck of a start, relative
 * @param secondSpread standard deviation of a second, relative
 * @param correlation of one second with the next, 0 to 1
 */
record SyntheticRuns(
        double effect, double driftPerRun, double runSpread, double secondSpread, double correlation, int seconds) {

    private static final double LEVEL = 4_000;

    List<RunSeries> of(RandomGenerator random, List<Side> schedule) {
        return IntStream.range(0, schedule.size())
                .mapToObj(position -> run(random, schedule.get(position), position))
                .toList();
    }

    private RunSeries run(RandomGenerator random, Side side, int position) {
        double level = LEVEL
                * (side == Side.B ? effect : 1)
                * Math.pow(1 + driftPerRun, position)
                * Math.exp(runSpread * random.nextGaussian());
        return new RunSeries(side, position, seconds(random, level), false);
    }

    private List<RunSeries.Second> seconds(RandomGenerator random, double level) {
        double[] noise = new double[seconds];
        double fresh = Math.sqrt(1 - correlation * correlation);
        for (int i = 0; i < seconds; i++) {
            double before = i == 0 ? random.nextGaussian() : noise[i - 1];
            noise[i] = correlation * before + fresh * random.nextGaussian();
        }
        return IntStream.range(0, seconds)
                .mapToObj(i -> new RunSeries.Second(level * Math.exp(secondSpread * noise[i]), 1))
                .toList();
    }
}
