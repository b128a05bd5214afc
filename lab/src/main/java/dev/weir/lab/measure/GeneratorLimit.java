package dev.weir.lab.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A reason to believe that a run measured the generator, its connections or its machine rather than the service.
 *
 * @param kind which one
 * @param sentence one sentence with its figures
 * @param advice what to do about it
 */
public record GeneratorLimit(Kind kind, String sentence, String advice) {

    /** An engine thread busier than this share of the wall time cannot send on time. */
    static final double MAX_THREAD_SHARE = 0.9;
    /** Engine threads may wait for a CPU during this share of the wall time. */
    static final double MAX_RUN_DELAY_SHARE = 0.1;
    /** A machine busier than this share has no CPU left for whoever needs one. */
    static final double MAX_MACHINE_SHARE = 0.97;
    /** Schedule lag at p99 below this is noise of the system's timers. */
    static final double MIN_LAG_MILLIS = 1;
    /** Schedule lag at p99 above this share of the median latency distorts it. */
    static final double MAX_LAG_OF_MEDIAN = 0.05;
    /** More requests than this share having to wait for a connection explain the lag at p99. */
    static final double MAX_WAIT_PROBABILITY = 0.01;

    /** What was the limit. */
    public enum Kind {
        /** Requests waited for a free connection: a closed loop in disguise. */
        CONNECTIONS,
        /** Requests left late although connections were free. */
        SCHEDULE_LAG,
        /** An engine thread was busy all the time. */
        THREAD,
        /** The engine threads had to wait for a CPU. */
        RUN_DELAY,
        /** The machine had no CPU left. */
        MACHINE;

        /** The word used in text and JSON output, for example {@code schedule-lag}. */
        public String id() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /**
     * Every reason that holds for a run, strongest first; empty where the run may be believed.
     *
     * @param threads engine threads of the run
     * @param connections connections of the run, over all threads
     */
    public static List<GeneratorLimit> of(Measurement run, int threads, int connections) {
        List<GeneratorLimit> limits = new ArrayList<>();
        addLag(limits, run, threads, connections);
        addThread(limits, run.generator());
        addRunDelay(limits, run, threads);
        addMachine(limits, run.generator());
        return List.copyOf(limits);
    }

    private static void addLag(List<GeneratorLimit> limits, Measurement run, int threads, int connections) {
        double lagMillis = run.scheduleLag().getValueAtPercentile(99) / 1e6;
        double medianMillis = run.fromSent().getValueAtPercentile(50) / 1e6;
        if (run.ratePerSecond() == 0 || lagMillis <= Math.max(MIN_LAG_MILLIS, MAX_LAG_OF_MEDIAN * medianMillis)) {
            return;
        }
        if (waitProbability(peakInFlight(run) / threads, connections / threads) > MAX_WAIT_PROBABILITY) {
            limits.add(connectionLimit(run, lagMillis, connections));
        } else {
            limits.add(new GeneratorLimit(
                    Kind.SCHEDULE_LAG,
                    "requests left late (p99 " + time(lagMillis) + ", beside a median latency of " + time(medianMillis)
                            + ") although connections were free",
                    "lower the rate, give the generator more threads (-t), or run it on a machine of its own"));
        }
    }

    private static GeneratorLimit connectionLimit(Measurement run, double lagMillis, int connections) {
        double p99Seconds = run.fromSent().getValueAtPercentile(99) / 1e9;
        long wanted = Math.max(connections * 2L, (long) Math.ceil(run.ratePerSecond() * p99Seconds * 1.5));
        return new GeneratorLimit(
                Kind.CONNECTIONS,
                String.format(
                        Locale.ROOT,
                        "requests waited for a free connection (p99 %s): %,d connections at %,.0f requests/s are a"
                                + " closed loop in disguise",
                        time(lagMillis),
                        connections,
                        run.ratePerSecond()),
                String.format(
                        Locale.ROOT, "give more connections (-c %d) if users of the service are that many", wanted));
    }

    private static String time(double millis) {
        return millis < 1_000
                ? String.format(Locale.ROOT, "%.3g ms", millis)
                : String.format(Locale.ROOT, "%.3g s", millis / 1_000);
    }

    private static double peakInFlight(Measurement run) {
        return run.seconds().stream().mapToDouble(SecondSample::meanInFlight).reduce(run.meanInFlight(), Math::max);
    }

    /**
     * Probability that an arrival finds all connections taken, by Erlang's C formula, with the recursion of his B formula
     * that does not overflow. Source: Cooper, Introduction to Queueing Theory, 2nd edition, 1981, chapter 3.
     */
    static double waitProbability(double inFlight, int connections) {
        if (inFlight >= connections) {
            return 1;
        }
        double blocked = 1;
        for (int n = 1; n <= connections; n++) {
            blocked = inFlight * blocked / (n + inFlight * blocked);
        }
        double load = inFlight / connections;
        return blocked / (1 - load * (1 - blocked));
    }

    private static void addThread(List<GeneratorLimit> limits, GeneratorCost cost) {
        if (cost.busiestThreadShare() > MAX_THREAD_SHARE) {
            limits.add(new GeneratorLimit(
                    Kind.THREAD,
                    String.format(
                            Locale.ROOT,
                            "the busiest engine thread used %.0f %% of a CPU",
                            cost.busiestThreadShare() * 100),
                    "give the generator more threads (-t) if the machine has CPUs to spare"));
        }
    }

    private static void addRunDelay(List<GeneratorLimit> limits, Measurement run, int threads) {
        double share = run.generator().runDelayNanos() / (double) run.duration().toNanos() / threads;
        if (share > MAX_RUN_DELAY_SHARE) {
            limits.add(new GeneratorLimit(
                    Kind.RUN_DELAY,
                    String.format(
                            Locale.ROOT, "the engine threads waited for a CPU during %.0f %% of the run", share * 100),
                    "stop what else runs on this machine, or run the generator on a machine of its own"));
        }
    }

    private static void addMachine(List<GeneratorLimit> limits, GeneratorCost cost) {
        if (cost.machineCpuShare() > MAX_MACHINE_SHARE) {
            limits.add(new GeneratorLimit(
                    Kind.MACHINE,
                    String.format(
                            Locale.ROOT, "%.0f %% of this machine's CPUs were in use", cost.machineCpuShare() * 100),
                    "if the service runs here as well it may have been the one; run the generator on a machine of its"
                            + " own to tell"));
        }
    }
}
