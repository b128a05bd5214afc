package dev.weir.lab.collect;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was seen of the service's process during one step. Whatever could not be seen is null or absent, never 0.
 *
 * @param window the part of the step it covers
 * @param cpuCores CPU time of the process / window, in cores
 * @param machineCpuShare share of the machine's CPUs in use by anything, 0 to 1
 * @param runDelayShare time the process's threads were runnable and waited for a CPU / window, in threads
 * @param gcShare time in collections / window, 0 to 1
 * @param compileShare time the JIT compilers worked / window, in threads
 * @param threads live threads of the process
 * @param workers request-serving thread pools by name, as the framework reports them or as its threads show them
 * @param pools connection pools by name
 * @param cpuThrottledShare share of the window the cgroup throttled the process, 0 to 1
 */
public record ServiceSample(
        Duration window,
        @Nullable Double cpuCores,
        @Nullable Double machineCpuShare,
        @Nullable Double runDelayShare,
        @Nullable Double gcShare,
        @Nullable Double compileShare,
        @Nullable Integer threads,
        Map<String, WorkerPool> workers,
        Map<String, ConnectionPool> pools,
        @Nullable Double cpuThrottledShare) {

    /**
     * A pool of request-serving threads.
     *
     * @param busyMean mean of the threads at work over the window
     * @param max the configured bound, or the threads that exist where the bound is unknown
     * @param source where the figures come from, for example {@code Tomcat ThreadPool MBean} or {@code thread dumps}
     * @param waitsIn the place most busy threads were seen waiting in, as {@code class.method:line}; null where none
     * @param setting the property that sets the bound, for example {@code server.tomcat.threads.max}; null where unknown
     */
    public record WorkerPool(
            double busyMean,
            int max,
            String source,
            @Nullable String waitsIn,
            @Nullable String setting) {}

    /** A pool of connections to another server: means over the window. */
    public record ConnectionPool(double activeMean, double pendingMean, int max, String source) {}

    public ServiceSample {
        workers = Map.copyOf(workers);
        pools = Map.copyOf(pools);
    }
}
