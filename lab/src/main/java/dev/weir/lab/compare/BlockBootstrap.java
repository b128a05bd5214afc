package dev.weir.lab.compare;

import java.util.random.RandomGenerator;

/**
 * Resamples the seconds of a run in blocks of random length, so that what one second has in common with the next
 * (collections, compilation, a queue) stays in the resample. Single requests are never resampled: they share their
 * second's fate, and an interval made of them is far too narrow.
 *
 * <p>Stationary bootstrap: block lengths are geometric, the series is joined end to start. Source: Politis and Romano,
 * The Stationary Bootstrap, 1994, https://doi.org/10.1080/01621459.1994.10476870.
 */
final class BlockBootstrap {
    /** Seconds below which no block is worth the name: a young collection or a compiled method touches its neighbour. */
    private static final double SHORTEST_MEAN_BLOCK = 3;

    private final RandomGenerator random;

    BlockBootstrap(RandomGenerator random) {
        this.random = random;
    }

    /** Logarithm of the figure of one resample of the run. */
    double resampledLog(RunSeries run) {
        int[] picks = picks(run.size());
        return run.log(i -> picks[i]);
    }

    /** Indexes of one resample of {@code n} seconds. */
    int[] picks(int n) {
        double newBlock = 1 / Math.min(n, Math.max(SHORTEST_MEAN_BLOCK, Math.cbrt(n)));
        int[] picks = new int[n];
        for (int i = 0; i < n; i++) {
            boolean starts = i == 0 || random.nextDouble() < newBlock;
            picks[i] = starts ? random.nextInt(n) : (picks[i - 1] + 1) % n;
        }
        return picks;
    }
}
