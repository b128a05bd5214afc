package dev.weir.lab.diagnose;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How many worker threads to give a service whose threads wait while its CPU idles.
 *
 * <p>Little's law: threads = rate x time a request holds one. The rate to aim at is the one at which the CPUs are used to
 * {@link #TARGET_CPU}: today's rate and the rate the free CPUs pay for, at today's CPU per request of service and
 * generator together, since both run on them. Bounded by {@link #MOST_GROWTH} and {@link #MOST_THREADS}: a prediction far
 * from what was measured is none, and thousands of platform threads cost more than they bring.
 *
 * @param threads to set
 * @param why the arithmetic
 * @param expectedPerSecond null where the CPU was not seen or is used up
 */
record WorkerSizing(int threads, String why, @Nullable Double expectedPerSecond) {
    /** Share of the CPUs to aim at. */
    static final double TARGET_CPU = 0.8;

    /** Times today's threads at most. */
    static final double MOST_GROWTH = 4;

    /** Threads at most, unless there are more already. */
    static final int MOST_THREADS = 2_000;

    /** Threads beyond those that are busy at the rate aimed at, since arrivals are not even. */
    static final double HEADROOM = 1.2;

    /**
     * Sizes a pool.
     *
     * @param max today's threads
     * @param holdMillis time a request holds a thread
     * @param perSecond today's ceiling
     */
    static WorkerSizing of(int max, double holdMillis, double perSecond, CpuBudget cpu) {
        int most = (int) Math.max(max, Math.min(MOST_THREADS, max * MOST_GROWTH));
        Double affordable = affordablePerSecond(perSecond, cpu);
        if (affordable == null) {
            int threads = Math.min(most, roundUp(max * 2.0));
            return new WorkerSizing(
                    threads, "the CPU was not seen: doubled, to be measured again before going further", null);
        }
        if (affordable < perSecond * 1.1) {
            int threads = Math.min(most, roundUp(max * 1.25));
            return new WorkerSizing(threads, "little CPU is free on this machine: a small step, to be measured", null);
        }
        int threads = Math.min(most, roundUp(affordable * holdMillis / 1_000 * HEADROOM));
        double expected = Math.min(affordable, threads / (holdMillis / 1_000));
        return new WorkerSizing(threads, why(perSecond, affordable, holdMillis, threads, most, cpu), expected);
    }

    /** The rate at which the CPUs are used to the target; null where the CPU was not seen. */
    private static @Nullable Double affordablePerSecond(double perSecond, CpuBudget cpu) {
        Double service = cpu.service();
        if (service == null || perSecond <= 0) {
            return null;
        }
        double byLimit = perSecond * TARGET_CPU * cpu.limit() / Math.max(service, 1e-3);
        Double used = cpu.used();
        if (used == null) {
            return byLimit;
        }
        double free = Math.max(0, TARGET_CPU * cpu.cpus() - used);
        double perRequest = Math.max((service + cpu.generator()) / perSecond, 1e-9);
        return Math.min(byLimit, perSecond + free / perRequest);
    }

    private static String why(
            double perSecond, double affordable, double holdMillis, int threads, int most, CpuBudget cpu) {
        String arithmetic = String.format(
                Locale.ROOT,
                "the free CPUs pay for %s at %s used (now %s: service %s, generator %s, others %s); %s x %s a request x "
                        + "%.1f for uneven arrivals = %s threads",
                Figures.perSecond(affordable),
                Figures.percent(TARGET_CPU),
                Figures.perSecond(perSecond),
                Figures.cores(cpu.serviceShare() * cpu.limit()),
                Figures.cores(cpu.generator()),
                Figures.cores(cpu.others()),
                Figures.perSecond(affordable),
                Figures.seconds(holdMillis),
                HEADROOM,
                Figures.number(affordable * holdMillis / 1_000 * HEADROOM));
        return threads >= most ? arithmetic + ", bounded to " + threads + " in one step" : arithmetic;
    }

    private static int roundUp(double threads) {
        int step = threads < 50 ? 1 : threads < 200 ? 10 : threads < 1_000 ? 50 : 100;
        return (int) Math.ceil(threads / step) * step;
    }
}
