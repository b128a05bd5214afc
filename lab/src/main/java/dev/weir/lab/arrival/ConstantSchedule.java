package dev.weir.lab.arrival;

import dev.weir.lab.plan.Load;

/** Every threads-th request of an even stream. Each time is computed from its number, so no rounding error adds up. */
final class ConstantSchedule implements Schedule {
    private final double gapNanos;
    private final int threads;
    private final long lengthNanos;
    private final long requests;
    private long next;

    ConstantSchedule(Load load, int thread, int threads) {
        this.gapNanos = 1e9 / load.ratePerSecond();
        this.threads = threads;
        this.lengthNanos = load.duration().toNanos();
        this.requests = load.maxRequests();
        this.next = thread;
    }

    @Override
    public long nextNanos() {
        long nanos = (long) (next * gapNanos);
        if (next >= requests || nanos >= lengthNanos) {
            return END;
        }
        next += threads;
        return nanos;
    }
}
