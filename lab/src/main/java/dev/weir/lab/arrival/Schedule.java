package dev.weir.lab.arrival;

import dev.weir.lab.plan.Load;

/**
 * The times at which one engine thread's requests are intended, ascending. Answers are computed from numbers alone: the
 * same load gives the same times, whatever the service does. Used by one thread.
 */
@FunctionalInterface
public interface Schedule {

    /** What {@link #nextNanos} answers once the schedule has ended. */
    long END = Long.MAX_VALUE;

    /** The next intended time, in nanoseconds after the start of the run; {@link #END} after the last, for good. */
    long nextNanos();

    /**
     * The share of one thread in an open loop. The threads' schedules together have the load's rate and its bound on
     * requests: even arrivals are dealt out in turn, random arrivals are as many independent streams of an equal part of
     * the rate, which together are again a Poisson stream.
     *
     * @param thread index of the thread, from 0
     * @param threads how many threads share the load; at least 1
     * @throws IllegalArgumentException where the load is a closed loop, which has no schedule
     */
    static Schedule of(Load load, int thread, int threads) {
        return switch (load.mode()) {
            case CONSTANT -> new ConstantSchedule(load, thread, threads);
            case POISSON -> new PoissonSchedule(load, thread, threads);
            case CLOSED -> throw new IllegalArgumentException("a closed loop has no schedule");
        };
    }

    /** How many of a bounded number of requests fall to one thread; the shares add up to the whole. */
    static long shareOf(long requests, int thread, int threads) {
        return requests == Long.MAX_VALUE ? Long.MAX_VALUE : requests / threads + (thread < requests % threads ? 1 : 0);
    }
}
