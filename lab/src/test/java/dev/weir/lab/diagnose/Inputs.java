package dev.weir.lab.diagnose;

import dev.weir.lab.collect.ServiceSample;
import dev.weir.lab.collect.ServiceSample.Activity;
import dev.weir.lab.collect.ServiceSample.ConnectionPool;
import dev.weir.lab.collect.ServiceSample.OtherProcess;
import dev.weir.lab.collect.ServiceSample.Place;
import dev.weir.lab.collect.ServiceSample.ThreadUse;
import dev.weir.lab.collect.ServiceSample.VirtualThreads;
import dev.weir.lab.collect.ServiceSample.WorkerPool;
import dev.weir.lab.host.Machine;
import dev.weir.lab.knee.Capacity;
import dev.weir.lab.measure.FailureKind;
import dev.weir.lab.measure.GeneratorCost;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds the input of a diagnosis; what a test does not set is that of a healthy service on an idle machine. */
final class Inputs {
    private static final Duration STEP = Duration.ofSeconds(10);

    private int cpus = 8;
    private double low = 3_900;
    private double high = 4_060;
    private Capacity.Limit limit = Capacity.Limit.PLATEAU;
    private double belowRate = 3_800;
    private double atRate = 3_980;
    private double latencyMillis = 50.2;
    private double calibrated = 60_000;
    private double generatorThread = 0.3;
    private double generatorCores = 0.4;
    private boolean watched = true;
    private boolean sustained = true;
    private double queuedLatencyMillis;

    private Double serviceCores = 2.0;
    private Double machineShare = 0.31;
    private Double runDelay = 0.1;
    private @Nullable Double limitCores;
    private @Nullable Double throttled;
    private @Nullable Double gc;
    private @Nullable ThreadUse busiest;
    private @Nullable ThreadUse lightThread;
    private double lightRate = 1;
    private List<OtherProcess> others = List.of();
    private Map<FailureKind, Long> failures = Map.of();
    private Map<FailureKind, String> failureReasons = Map.of();
    private @Nullable VirtualThreads virtual;
    private final Map<String, WorkerPool> belowWorkers = new HashMap<>();
    private final Map<String, WorkerPool> workers = new HashMap<>();
    private final Map<String, ConnectionPool> pools = new HashMap<>();
    private final Map<String, Double> hot = new HashMap<>();

    Inputs cpus(int value) {
        cpus = value;
        return this;
    }

    /** The interval of the capacity and the rates completed below and at its end. */
    Inputs stallsAt(double perSecond) {
        low = perSecond * 0.98;
        high = perSecond * 1.02;
        belowRate = perSecond * 0.95;
        atRate = perSecond;
        return this;
    }

    /** The rate completed in the step that did not pass, where it is not what the service does at its best. */
    Inputs completesAtItsLimit(double perSecond) {
        atRate = perSecond;
        return this;
    }

    Inputs limit(Capacity.Limit value) {
        limit = value;
        return this;
    }

    Inputs latency(double millis) {
        latencyMillis = millis;
        return this;
    }

    /** Latency of the highest step that passed, where a queue has already built up. */
    Inputs latencyBelowTheKnee(double millis) {
        queuedLatencyMillis = millis;
        return this;
    }

    Inputs calibrated(double perSecond) {
        calibrated = perSecond;
        return this;
    }

    Inputs generator(double busiestThread, double cores) {
        generatorThread = busiestThread;
        generatorCores = cores;
        return this;
    }

    Inputs service(double cores) {
        serviceCores = cores;
        return this;
    }

    Inputs machine(double share) {
        machineShare = share;
        return this;
    }

    Inputs runDelay(double threads) {
        runDelay = threads;
        return this;
    }

    Inputs quota(double cores, double throttledShare) {
        limitCores = cores;
        throttled = throttledShare;
        return this;
    }

    Inputs gc(double share) {
        gc = share;
        return this;
    }

    /** The busiest thread at the limit; in the lightest step it used so much less as the rate was lower. */
    Inputs busiestThread(String name, double cores, @Nullable Double waits) {
        busiest = new ThreadUse(name, cores, waits);
        lightThread = new ThreadUse(name, cores * 0.3, waits);
        lightRate = 0.3;
        return this;
    }

    /** The busiest thread of the lightest step; null where none was seen. */
    Inputs inTheLightestStep(@Nullable ThreadUse thread) {
        lightThread = thread;
        return this;
    }

    Inputs others(OtherProcess... processes) {
        others = List.of(processes);
        return this;
    }

    Inputs failed(Map<FailureKind, Long> count, Map<FailureKind, String> reasons) {
        failures = count;
        failureReasons = reasons;
        return this;
    }

    Inputs virtualThreads() {
        virtual = new VirtualThreads(8, 0.2, true);
        return this;
    }

    Inputs unwatched() {
        watched = false;
        return this;
    }

    Inputs nothingSustained() {
        sustained = false;
        low = 0;
        return this;
    }

    Inputs hot(String frame, double share) {
        hot.put(frame, share);
        return this;
    }

    Inputs connections(String name, double active, double pending, int max) {
        pools.put(name, new ConnectionPool(active, pending, max, "HikariCP Pool MBean"));
        return this;
    }

    Inputs tomcat(double belowBusy, double busy, int max, Place... places) {
        return pool(
                "http-nio-8080", "Tomcat ThreadPool MBean", "server.tomcat.threads.max", belowBusy, busy, max, places);
    }

    Inputs dumped(String name, @Nullable String setting, double belowBusy, double busy, int max, Place... places) {
        return pool(name, "thread dumps", setting, belowBusy, busy, max, places);
    }

    private Inputs pool(
            String name,
            String source,
            @Nullable String setting,
            double belowBusy,
            double busy,
            int max,
            Place... places) {
        List<Place> seen = List.of(places);
        String waitsIn = seen.isEmpty() ? null : seen.getFirst().where();
        belowWorkers.put(name, new WorkerPool(belowBusy, max, source, waitsIn, setting, seen));
        workers.put(name, new WorkerPool(busy, max, source, waitsIn, setting, seen));
        return this;
    }

    static Place place(Activity activity, double share) {
        return new Place("shop.Catalog.find:57", "some.Library.call", activity, share);
    }

    DiagnosisInput build() {
        return new DiagnosisInput(
                new Capacity(low, high, limit),
                sustained
                        ? step(belowRate * lightRate, belowRate * lightRate, latencyMillis, belowWorkers, lightThread)
                        : null,
                sustained ? step(belowRate, belowRate, queuedLatencyMillis, workers, busiest) : null,
                step(atRate * 1.1, atRate, latencyMillis * 3, workers, busiest),
                calibrated,
                new Machine("test", cpus, 16L << 30, "Linux", "25"),
                List.of());
    }

    Verdict verdict() {
        return Diagnosis.of(build());
    }

    private StepFigures step(
            double offered,
            double completed,
            double millis,
            Map<String, WorkerPool> pools,
            @Nullable ThreadUse thread) {
        GeneratorCost generator =
                new GeneratorCost((long) (generatorCores * STEP.toNanos()), generatorThread, 0, machineShare, cpus);
        return new StepFigures(
                STEP,
                offered,
                completed,
                Math.round(completed * STEP.toSeconds()),
                completed * millis / 1_000,
                millis,
                millis * 2,
                failures,
                failureReasons,
                generator,
                watched ? sample(pools, thread) : null);
    }

    private ServiceSample sample(Map<String, WorkerPool> workerPools, @Nullable ThreadUse thread) {
        return new ServiceSample(
                STEP,
                serviceCores,
                machineShare,
                runDelay,
                gc,
                0.0,
                230,
                workerPools,
                pools,
                throttled,
                limitCores == null ? (double) cpus : limitCores,
                thread,
                virtual,
                0.0,
                0.0,
                0.01,
                hot,
                others,
                List.of());
    }
}
