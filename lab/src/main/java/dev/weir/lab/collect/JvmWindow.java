package dev.weir.lab.collect;

import dev.weir.lab.collect.ServiceSample.ConnectionPool;
import dev.weir.lab.collect.ServiceSample.WorkerPool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** Gathers what the inside of a JVM shows over one window. Not safe for use by several threads. */
final class JvmWindow {
    private final JvmConnection jvm;
    private final JvmTimes begin;
    private final long beganAtNanos;
    private final PoolGauges pools;
    private final VirtualThreadGauges virtualThreads;
    private final ThreadDumps dumps;
    private final WorkerCensus census = new WorkerCensus();

    JvmWindow(JvmConnection jvm, Random random) {
        this.jvm = jvm;
        this.begin = JvmTimes.read(jvm);
        this.beganAtNanos = System.nanoTime();
        this.pools = new PoolGauges(jvm);
        this.virtualThreads = new VirtualThreadGauges(jvm);
        this.dumps = new ThreadDumps(jvm.threads(), random);
    }

    /** Reads the gauges, which is cheap. */
    void sampleGauges() {
        pools.sample();
        virtualThreads.sample();
    }

    /** Takes a thread dump, which is not. */
    void dump() {
        dumps.addTo(census);
    }

    /**
     * What was seen.
     *
     * @param gcShare time in collections / window, 0 to 1
     * @param compileShare time the compilers worked / window, in threads
     */
    record Seen(
            double gcShare,
            double compileShare,
            Map<String, WorkerPool> workers,
            Map<String, ConnectionPool> connections,
            Optional<ServiceSample.VirtualThreads> virtualThreads,
            Map<String, Double> hotFrames,
            List<String> missing) {}

    /** Ends the window. Takes no further look at threads and pools: the load may be over. */
    Seen end() {
        JvmTimes end = JvmTimes.read(jvm);
        double millis =
                Math.max(1, Duration.ofNanos(System.nanoTime() - beganAtNanos).toMillis());
        Map<String, WorkerPool> workers = workers();
        return new Seen(
                Math.clamp((end.gcMillis() - begin.gcMillis()) / millis, 0, 1),
                Math.max(0, (end.compileMillis() - begin.compileMillis()) / millis),
                workers,
                pools.connections(),
                virtualThreads.seen(servesOnVirtualThreads()),
                census.hotFrames(),
                missing(workers));
    }

    /** A connector whose own gauges are there is not listed a second time by the names of its threads. */
    private Map<String, WorkerPool> workers() {
        Map<String, WorkerPool> byGauge = pools.workers(census);
        Map<String, WorkerPool> workers = new HashMap<>(census.pools());
        workers.keySet()
                .removeIf(group -> byGauge.keySet().stream().anyMatch(name -> group.startsWith(name + "-exec")));
        workers.putAll(byGauge);
        return workers;
    }

    private boolean servesOnVirtualThreads() {
        return pools.tomcatOnVirtualThreads() || (virtualThreads.inUse() && !census.servesRequests());
    }

    private List<String> missing(Map<String, WorkerPool> workers) {
        List<String> missing = new ArrayList<>();
        if (workers.isEmpty() && !servesOnVirtualThreads()) {
            missing.add("No thread was seen serving a request in " + census.dumps() + " thread dumps.");
        }
        return missing;
    }
}
