package dev.weir.lab.arrival;

import dev.weir.lab.plan.Load;
import java.util.SplittableRandom;

/** Exponentially distributed gaps by inversion: -ln(1 - u) / rate, u uniform in [0, 1). */
final class PoissonSchedule implements Schedule {
    private final SplittableRandom random;
    private final double meanGapNanos;
    private final long lengthNanos;
    private long left;
    private double atNanos;

    PoissonSchedule(Load load, int thread, int threads) {
        this.random = streamOf(load.seed(), thread);
        this.meanGapNanos = 1e9 * threads / load.ratePerSecond();
        this.lengthNanos = load.duration().toNanos();
        this.left = Schedule.shareOf(load.maxRequests(), thread, threads);
    }

    private static SplittableRandom streamOf(long seed, int thread) {
        SplittableRandom root = new SplittableRandom(seed);
        for (int skipped = 0; skipped < thread; skipped++) {
            root.split();
        }
        return root.split();
    }

    @Override
    public long nextNanos() {
        if (left == 0) {
            return END;
        }
        atNanos -= Math.log(1 - random.nextDouble()) * meanGapNanos;
        if (atNanos >= lengthNanos) {
            left = 0;
            return END;
        }
        left--;
        return (long) atNanos;
    }
}
