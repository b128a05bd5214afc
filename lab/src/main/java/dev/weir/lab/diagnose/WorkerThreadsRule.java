package dev.weir.lab.diagnose;

import dev.weir.lab.collect.ServiceSample;
import dev.weir.lab.collect.ServiceSample.Activity;
import dev.weir.lab.collect.ServiceSample.Place;
import dev.weir.lab.collect.ServiceSample.WorkerPool;
import dev.weir.lab.diagnose.Finding.Found;
import dev.weir.lab.diagnose.Finding.NotEnoughData;
import dev.weir.lab.diagnose.Finding.RuledOut;
import dev.weir.lab.diagnose.Finding.Weight;
import dev.weir.lab.diagnose.Verdict.Cause;
import dev.weir.lab.diagnose.Verdict.Change;
import dev.weir.lab.diagnose.Verdict.Evidence;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All threads that serve requests are busy while the CPU idles, and that is why the rate ends where it does.
 *
 * <p>Busy threads alone prove nothing: behind any other limit requests pile up until they hold every thread. What proves it
 * is that threads / (time a request holds one below the knee) equals the ceiling (Little's law). Behind another limit, say
 * a pool of ten connections, that quotient is far above the ceiling. The time must come from a step without a queue: at the
 * knee the quotient is the ceiling by definition, and just below it the queue behind any limit stretches the latency.
 *
 * <p>A thread that wants to run and gets no CPU is busy too, so starvation is ruled out first: it is where most of the busy
 * time is spent waiting for a CPU. Less of it, as on a machine that others fill, stretches the hold time in the light step as
 * well, and Little's law decides.
 */
final class WorkerThreadsRule implements Rule {
    /** Share of a pool's threads from which it is exhausted, where a gauge counts them. */
    static final double EXHAUSTED = 0.95;

    /** The same where thread dumps count them: they also see the moment between two requests. */
    static final double EXHAUSTED_IN_DUMPS = 0.90;

    /** Share of a pool's threads busy from which busy threads / rate may hold a queue and proves nothing. */
    static final double QUEUED = 0.98;

    /** How far threads / hold time may be from the ceiling seen. */
    static final double CEILING_TOLERANCE = 0.15;

    /** Waiting for a CPU / busy time of the workers from which more threads would only wait there too. */
    static final double STARVED = 0.5;

    /** Share of the busy threads waiting for locks or connections from which more threads would only wait there too. */
    static final double BEHIND_A_GATE = 0.5;

    /** Share of its CPUs in use from which a service with running workers lacks CPU rather than threads. */
    static final double CPU_NEARLY_FULL = 0.75;

    @Override
    public Finding judge(DiagnosisInput input) {
        ServiceSample sample = input.at().service();
        if (sample == null || sample.workers().isEmpty()) {
            return notSeen(sample);
        }
        Optional<Map.Entry<String, WorkerPool>> fullest =
                sample.workers().entrySet().stream().max(Comparator.comparingDouble(pool -> fullness(pool.getValue())));
        List<Map.Entry<String, WorkerPool>> exhausted = sample.workers().entrySet().stream()
                .filter(pool -> exhausted(pool.getValue()))
                .toList();
        return exhausted.isEmpty()
                ? fullest.map(WorkerThreadsRule::notExhausted).orElseGet(() -> notSeen(sample))
                : exhausted.stream()
                        .map(pool -> judge(input, sample, pool.getKey(), pool.getValue()))
                        .reduce(WorkerThreadsRule::stronger)
                        .orElseThrow();
    }

    private static Finding stronger(Finding one, Finding other) {
        return other instanceof Found ? other : one;
    }

    private static Finding notSeen(@Nullable ServiceSample sample) {
        if (sample != null && sample.virtualThreads() != null) {
            return new NotEnoughData("The service runs its requests on virtual threads, of which the JVM shows neither "
                    + "how many are busy nor where they wait; take a dump under load with jcmd PID Thread.dump_to_file "
                    + "-format=json FILE to see it.");
        }
        return new NotEnoughData("No pool of request threads was seen: it takes a JVM on this machine that weir can "
                + "attach to; for Tomcat in Spring Boot, server.tomcat.mbeanregistry.enabled=true shows its gauges.");
    }

    private static double fullness(WorkerPool pool) {
        return pool.max() == 0 ? 0 : pool.busyMean() / pool.max();
    }

    private static boolean exhausted(WorkerPool pool) {
        return fullness(pool) >= (pool.source().contains("MBean") ? EXHAUSTED : EXHAUSTED_IN_DUMPS);
    }

    private static Finding notExhausted(Map.Entry<String, WorkerPool> pool) {
        return new RuledOut(
                Figures.number(pool.getValue().busyMean()) + " of "
                        + pool.getValue().max() + " threads of " + pool.getKey() + " are busy",
                List.of(busy(pool.getKey(), pool.getValue())));
    }

    private Finding judge(DiagnosisInput input, ServiceSample sample, String name, WorkerPool pool) {
        CpuBudget cpu = CpuBudget.of(input.at(), input.machine());
        List<Evidence> evidence = evidence(name, pool);
        if (starved(sample, pool, cpu)) {
            return new RuledOut(
                    "all threads of " + name
                            + " are busy, but they run or wait for a CPU rather than for anything else",
                    evidence);
        }
        if (pool.share(Activity.LOCK) + pool.share(Activity.CONNECTION_POOL) >= BEHIND_A_GATE) {
            return new RuledOut(
                    "all " + pool.max() + " threads of " + name + " are busy, but most wait " + gate(pool)
                            + ", where more threads would only wait too",
                    evidence);
        }
        StepFigures light = input.light();
        if (light == null || light.completedPerSecond() <= 0) {
            return new NotEnoughData("No rate was sustained, so how long a request holds a thread of " + name
                    + " without a queue was not seen: start the search at a lower rate.");
        }
        return ceiling(input, light, name, pool)
                .map(hold -> found(input, name, pool, hold, cpu, evidence))
                .orElseGet(() -> notTheCeiling(input, light, name, pool, evidence));
    }

    private static boolean starved(ServiceSample sample, WorkerPool pool, CpuBudget cpu) {
        Double runDelay = sample.runDelayShare();
        boolean waitForCpu = runDelay != null && runDelay >= STARVED * pool.busyMean();
        boolean run = pool.share(Activity.RUNNING) >= 0.5 && cpu.serviceShare() >= CPU_NEARLY_FULL;
        return waitForCpu || run || cpu.serviceShare() >= CpuRule.SERVICE_FULL;
    }

    private static String gate(WorkerPool pool) {
        return pool.places().stream()
                .filter(place -> place.activity() == Activity.LOCK || place.activity() == Activity.CONNECTION_POOL)
                .findFirst()
                .map(place -> (place.activity() == Activity.LOCK ? "for a lock in " : "for a connection in ")
                        + place.where() + " (" + place.through() + ")")
                .orElse("for a lock");
    }

    /**
     * The time a request holds a thread, in milliseconds, where threads / time equals the ceiling; empty where it does not.
     * There are two readings of it, the latency the client saw and busy threads / rate, and the nearer one counts: the
     * first holds the network and queues as well, the second is coarse where few threads are busy.
     */
    private static Optional<Double> ceiling(DiagnosisInput input, StepFigures light, String name, WorkerPool pool) {
        return holds(light, name).stream()
                .filter(hold -> distance(pool.max() / (hold / 1_000), input) <= CEILING_TOLERANCE)
                .min(Comparator.comparingDouble(hold -> distance(pool.max() / (hold / 1_000), input)));
    }

    private static List<Double> holds(StepFigures light, String name) {
        List<Double> holds = new ArrayList<>();
        if (light.meanFromSentMillis() > 0) {
            holds.add(light.meanFromSentMillis());
        }
        WorkerPool earlier =
                light.service() == null ? null : light.service().workers().get(name);
        if (earlier != null && earlier.busyMean() > 0 && fullness(earlier) < QUEUED) {
            holds.add(earlier.busyMean() / light.completedPerSecond() * 1_000);
        }
        return holds;
    }

    /** How far a predicted ceiling lies outside the interval in which the service stalls, relative to its nearer end. */
    private static double distance(double predictedPerSecond, DiagnosisInput input) {
        double low = Math.min(input.capacity().lowPerSecond(), input.at().completedPerSecond());
        double high = Math.max(observedPerSecond(input), input.at().completedPerSecond());
        if (predictedPerSecond < low) {
            return (low - predictedPerSecond) / low;
        }
        return predictedPerSecond > high ? (predictedPerSecond - high) / high : 0;
    }

    private static double observedPerSecond(DiagnosisInput input) {
        return input.capacity().midPerSecond();
    }

    private static Finding notTheCeiling(
            DiagnosisInput input, StepFigures light, String name, WorkerPool pool, List<Evidence> evidence) {
        double hold = holds(light, name).stream().min(Comparator.naturalOrder()).orElse(light.meanFromSentMillis());
        return new RuledOut(
                "all " + pool.max() + " threads of " + name + " are busy, but at the " + Figures.millis(hold)
                        + " a request takes without a queue they would do "
                        + Figures.perSecond(pool.max() / hold * 1_000)
                        + " and the service does " + Figures.perSecond(observedPerSecond(input))
                        + ": they wait for something else that is the limit",
                evidence);
    }

    private static Finding found(
            DiagnosisInput input, String name, WorkerPool pool, double hold, CpuBudget cpu, List<Evidence> seen) {
        double predicted = pool.max() / (hold / 1_000);
        String sentence = String.format(
                Locale.ROOT,
                "All %,d %s are busy from %s on, each request holds one for %s (%,d / %s = %s)%s.",
                pool.max(),
                threads(name, pool),
                Figures.number(observedPerSecond(input)) + " requests/s",
                Figures.millis(hold),
                pool.max(),
                Figures.seconds(hold),
                Figures.perSecond(predicted),
                cpu.service() == null
                        ? ""
                        : ", while the service's CPU is " + Figures.percent(cpu.serviceShare()) + " used");
        List<Evidence> evidence = new ArrayList<>(seen);
        evidence.add(
                1,
                new Evidence(
                        "threads / time a request holds one, without a queue",
                        Figures.perSecond(predicted) + ", against " + Figures.perSecond(observedPerSecond(input))
                                + " seen",
                        "Little's law"));
        evidence.addAll(cpu.evidence());
        return new Found(
                Weight.DIRECT,
                new Verdict(Cause.WORKER_THREADS, sentence, evidence, change(input, name, pool, hold, cpu), List.of()));
    }

    private static String threads(String name, WorkerPool pool) {
        String setting = pool.setting();
        if (pool.source().startsWith("Tomcat") || (setting != null && setting.contains("tomcat"))) {
            return "Tomcat worker threads";
        }
        return "worker threads (" + name + ")";
    }

    private static Change change(DiagnosisInput input, String name, WorkerPool pool, double hold, CpuBudget cpu) {
        WorkerSizing sizing = WorkerSizing.of(pool.max(), hold, observedPerSecond(input), cpu);
        boolean property = pool.setting() != null && !pool.setting().contains(" ");
        String unit = property ? "" : " threads";
        return new Change(
                pool.setting() == null ? "the size of the thread pool " + name : pool.setting(),
                pool.max() + unit,
                sizing.threads() + unit,
                sizing.why() + waitsFor(pool),
                sizing.expectedPerSecond());
    }

    private static String waitsFor(WorkerPool pool) {
        return pool.waitsIn() == null
                ? ""
                : "; it holds as long as what the threads wait for in " + pool.waitsIn() + " does not slow down";
    }

    private static List<Evidence> evidence(String name, WorkerPool pool) {
        List<Evidence> evidence = new ArrayList<>();
        evidence.add(busy(name, pool));
        pool.places().stream().limit(3).map(WorkerThreadsRule::seenIn).forEach(evidence::add);
        return evidence;
    }

    private static Evidence busy(String name, WorkerPool pool) {
        return new Evidence(
                "busy threads of " + name, Figures.number(pool.busyMean()) + " of " + pool.max(), pool.source());
    }

    private static Evidence seenIn(Place place) {
        return new Evidence(
                "busy threads " + doing(place.activity()) + " in " + place.where()
                        + (place.where().startsWith(place.through()) ? "" : " (" + place.through() + ")"),
                Figures.percent(place.share()),
                "thread dumps");
    }

    private static String doing(Activity activity) {
        return switch (activity) {
            case RUNNING -> "running";
            case IO -> "waiting for a socket or file";
            case SLEEPING -> "sleeping";
            case LOCK -> "waiting for a lock";
            case CONNECTION_POOL -> "waiting for a pooled connection";
            case WAITING -> "waiting";
        };
    }
}
