package dev.weir.lab.collect;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was seen of the service's process during one step. Whatever could not be seen is null or absent, never 0.
 *
 * @param window the part of the step it covers
 * @param cpuCores CPU time of the process / window, in cores; of all its processes where it has several
 * @param machineCpuShare share of the machine's CPUs in use by anything, 0 to 1
 * @param runDelayShare time the process's threads were runnable and waited for a CPU / window, in threads
 * @param gcShare time in collections / window, 0 to 1
 * @param compileShare time the JIT compilers worked / window, in threads
 * @param threads live threads of the process
 * @param workers request-serving thread pools by name, as the framework reports them or as its threads show them
 * @param pools connection pools by name
 * @param cpuThrottledShare share of the window the cgroup throttled the process, 0 to 1
 * @param cpuLimitCores CPUs the process may use: the machine's, or its cgroup's quota where that is lower
 * @param busiestThread the thread that used most CPU, the JVM's compilers and collectors left out
 * @param virtualThreads the JVM's carriers of virtual threads; null where the JVM has none in use
 * @param stolenShare share of the machine's CPUs the hypervisor gave to others, 0 to 1
 * @param acceptQueueMean connections established and not yet accepted by the process, mean over the window
 * @param openFilesShare open file descriptors / their bound, 0 to 1
 * @param hotFrames share of the running request threads seen in each place, {@code class.method:line}, highest few
 * @param busiestOthers the processes of the machine that used most CPU, busiest first, at most three; neither the service's
 *     nor the generator's
 * @param missing what could not be seen and how to make it visible, each as a sentence
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
        @Nullable Double cpuThrottledShare,
        @Nullable Double cpuLimitCores,
        @Nullable ThreadUse busiestThread,
        @Nullable VirtualThreads virtualThreads,
        @Nullable Double stolenShare,
        @Nullable Double acceptQueueMean,
        @Nullable Double openFilesShare,
        Map<String, Double> hotFrames,
        List<OtherProcess> busiestOthers,
        List<String> missing) {

    /**
     * A pool of request-serving threads.
     *
     * @param busyMean mean of the threads at work over the window
     * @param max the configured bound, or the threads that exist where the bound is unknown
     * @param source where the figures come from, for example {@code Tomcat ThreadPool MBean} or {@code thread dumps}
     * @param waitsIn the place most busy threads were seen waiting in, as {@code class.method:line}; null where none
     * @param setting the property that sets the bound, for example {@code server.tomcat.threads.max}; null where unknown
     * @param places where its busy threads were seen, most seen first; empty where no dump was taken
     */
    public record WorkerPool(
            double busyMean,
            int max,
            String source,
            @Nullable String waitsIn,
            @Nullable String setting,
            List<Place> places) {

        public WorkerPool {
            places = List.copyOf(places);
        }

        /** Share of the busy threads seen in this activity, 0 to 1. */
        public double share(Activity activity) {
            return places.stream()
                    .filter(place -> place.activity() == activity)
                    .mapToDouble(Place::share)
                    .sum();
        }
    }

    /**
     * A place busy threads were seen in.
     *
     * @param where the service's own frame nearest the top, as {@code class.method:line}; a library's where none is its own
     * @param through the JDK or library method waited in, as {@code class.method}
     * @param share of the busy threads seen, 0 to 1
     */
    public record Place(String where, String through, Activity activity, double share) {}

    /** What a busy thread does. */
    public enum Activity {
        /** Runs, or wants to. */
        RUNNING,
        /** Waits for a socket or a file: for another server. */
        IO,
        /** Sleeps for a fixed time. */
        SLEEPING,
        /** Waits for a monitor or lock that another thread holds. */
        LOCK,
        /** Waits for a connection of a pool. */
        CONNECTION_POOL,
        /** Waits for something else: a future, a queue, a condition. */
        WAITING
    }

    /** A pool of connections to another server: means over the window. */
    public record ConnectionPool(double activeMean, double pendingMean, int max, String source) {}

    /**
     * What one thread did with the window.
     *
     * @param cores CPU it used: 1 is a whole CPU for the whole window
     * @param runDelayShare time it was runnable and waited for a CPU / window; null where the system does not tell
     */
    public record ThreadUse(
            String name, double cores, @Nullable Double runDelayShare) {

        /** Share of the window in which it ran or waited for a CPU, that is wanted for nothing else; as far as seen. */
        public double busyShare() {
            return cores + (runDelayShare == null ? 0 : runDelayShare);
        }
    }

    /** Another process of the machine and the CPU it used, in cores. */
    public record OtherProcess(long pid, String name, double cores) {}

    /**
     * The scheduler of virtual threads.
     *
     * @param carriers platform threads that carry virtual ones
     * @param busyCarriersMean carriers at work, mean over the window
     * @param servesRequests whether the service handles its requests on virtual threads, as far as that shows
     */
    public record VirtualThreads(int carriers, double busyCarriersMean, boolean servesRequests) {}

    public ServiceSample {
        workers = Map.copyOf(workers);
        pools = Map.copyOf(pools);
        hotFrames = Map.copyOf(hotFrames);
        busiestOthers = List.copyOf(busiestOthers);
        missing = List.copyOf(missing);
    }
}
