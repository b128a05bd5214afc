package dev.weir.lab.collect;

import dev.weir.lab.collect.ServiceSample.BusiestThread;
import dev.weir.lab.host.Cgroup;
import dev.weir.lab.host.ProcessReading;
import dev.weir.lab.host.ProcessReading.ThreadReading;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What happened between two snapshots. Threads that ended within the window count in the process's CPU time and not in
 * the figures by thread; those that began within it count from 0.
 */
record ProcDifference(ProcSnapshot begin, ProcSnapshot end, int machineCpus) {

    Duration window() {
        return Duration.ofNanos(end.atNanos() - begin.atNanos());
    }

    private double nanos() {
        return Math.max(1, end.atNanos() - begin.atNanos());
    }

    /** Whether a process still lived at the end. */
    boolean alive() {
        return end.process().isPresent();
    }

    @Nullable
    Double cpuCores() {
        return begin.process()
                .flatMap(b -> end.process().map(e -> Math.max(0, e.cpuNanos() - b.cpuNanos()) / nanos()))
                .orElse(null);
    }

    @Nullable
    Integer threads() {
        return end.process()
                .map(ProcessReading::threads)
                .filter(threads -> !threads.isEmpty())
                .map(Map::size)
                .orElse(null);
    }

    @Nullable
    Double runDelayShare() {
        Map<Long, ThreadReading> before = threadsAtBegin();
        return end.process()
                .map(ProcessReading::threads)
                .filter(threads -> !threads.isEmpty())
                .map(threads -> threads.entrySet().stream()
                                .mapToLong(thread -> runDelayNanos(thread, before))
                                .sum()
                        / nanos())
                .orElse(null);
    }

    @Nullable
    BusiestThread busiestThread() {
        Map<Long, ThreadReading> before = threadsAtBegin();
        return end.process().map(ProcessReading::threads).stream()
                .flatMap(threads -> threads.entrySet().stream())
                .map(thread -> new BusiestThread(thread.getValue().name(), cpuNanos(thread, before) / nanos()))
                .max(Comparator.comparingDouble(BusiestThread::cores))
                .orElse(null);
    }

    private Map<Long, ThreadReading> threadsAtBegin() {
        return begin.process().map(ProcessReading::threads).orElse(Map.of());
    }

    private static long runDelayNanos(Map.Entry<Long, ThreadReading> thread, Map<Long, ThreadReading> before) {
        ThreadReading earlier = before.get(thread.getKey());
        return Math.max(0, thread.getValue().runDelayNanos() - (earlier == null ? 0 : earlier.runDelayNanos()));
    }

    private static long cpuNanos(Map.Entry<Long, ThreadReading> thread, Map<Long, ThreadReading> before) {
        ThreadReading earlier = before.get(thread.getKey());
        return Math.max(0, thread.getValue().cpuNanos() - (earlier == null ? 0 : earlier.cpuNanos()));
    }

    @Nullable
    Double machineCpuShare() {
        return begin.machine()
                .flatMap(b -> end.machine().flatMap(e -> e.busyShareSince(b)))
                .orElse(null);
    }

    @Nullable
    Double stolenShare() {
        return begin.machine()
                .flatMap(b -> end.machine().flatMap(e -> e.stolenShareSince(b)))
                .orElse(null);
    }

    @Nullable
    Double cpuThrottledShare() {
        return begin.cgroup()
                .flatMap(b -> end.cgroup().map(e -> Math.clamp(throttledNanos(b, e) / nanos(), 0, 1)))
                .orElse(null);
    }

    private static long throttledNanos(Cgroup begin, Cgroup end) {
        return Math.max(0, end.throttledNanos() - begin.throttledNanos());
    }

    double cpuLimitCores() {
        Optional<Double> quota = end.cgroup().flatMap(cgroup -> Optional.ofNullable(cgroup.cpuLimitCores()));
        return Math.min(machineCpus, quota.orElse((double) machineCpus));
    }

    @Nullable
    Double openFilesShare() {
        return end.process()
                .filter(process -> process.maxOpenFiles() > 0 && process.openFiles() >= 0)
                .map(process -> (double) process.openFiles() / process.maxOpenFiles())
                .orElse(null);
    }
}
