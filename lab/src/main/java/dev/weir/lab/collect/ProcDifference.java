package dev.weir.lab.collect;

import dev.weir.lab.collect.ServiceSample.ThreadUse;
import dev.weir.lab.host.Cgroup;
import dev.weir.lab.host.ProcessReading;
import dev.weir.lab.host.ProcessReading.ThreadReading;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What happened between two snapshots. Threads that ended within the window count in the process's CPU time and not in
 * the figures by thread; those that began within it count from 0.
 */
record ProcDifference(ProcSnapshot begin, ProcSnapshot end, int machineCpus) {
    /** CPU below which a process is not worth its name, in cores: some ticks of 10 ms in a window of seconds. */
    private static final double NOTICEABLE_CORES = 0.05;

    /** How the JVM's compilers and collectors are named, as far as the system shows it. */
    private static final List<String> JVM_THREADS =
            List.of("C1 Comp", "C2 Comp", "GC Thread", "G1 ", "VM Thread", "ZWorker", "ZDriver", "Shenandoah");

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
        List<ThreadUse> uses = uses();
        return uses.isEmpty() || uses.stream().anyMatch(use -> use.runDelayShare() == null)
                ? null
                : uses.stream()
                        .map(ThreadUse::runDelayShare)
                        .filter(Objects::nonNull)
                        .mapToDouble(Double::doubleValue)
                        .sum();
    }

    /** The thread that used most CPU of those that are not the JVM's own. */
    @Nullable
    ThreadUse busiestThread() {
        return uses().stream()
                .filter(use -> !ofTheJvm(use.name()))
                .max(Comparator.comparingDouble(ThreadUse::cores))
                .orElse(null);
    }

    private static boolean ofTheJvm(String thread) {
        return JVM_THREADS.stream().anyMatch(thread::startsWith);
    }

    private List<ThreadUse> uses() {
        Map<Long, ThreadReading> before =
                begin.process().map(ProcessReading::threads).orElse(Map.of());
        return end.process().map(ProcessReading::threads).orElse(Map.of()).entrySet().stream()
                .map(thread -> use(thread.getValue(), before.get(thread.getKey())))
                .toList();
    }

    private ThreadUse use(ThreadReading now, @Nullable ThreadReading earlier) {
        long cpu = now.cpuNanos() - (earlier == null ? 0 : earlier.cpuNanos());
        long delay = now.runDelayNanos() - (earlier == null ? 0 : earlier.runDelayNanos());
        return new ThreadUse(
                now.name(), Math.max(0, cpu) / nanos(), now.runDelayNanos() < 0 ? null : Math.max(0, delay) / nanos());
    }

    /**
     * The processes that used most CPU, at most so many; those that began within the window count from 0.
     *
     * @param without processes left out: the service's own and the generator's
     */
    List<ProcessUse> busiestProcesses(int most, Set<Long> without) {
        return end.cpuNanosOfAll().entrySet().stream()
                .filter(process -> !without.contains(process.getKey()))
                .map(process -> new ProcessUse(process.getKey(), cores(process.getKey(), process.getValue())))
                .filter(use -> use.cores() >= NOTICEABLE_CORES)
                .sorted(Comparator.comparingDouble(ProcessUse::cores).reversed().thenComparingLong(ProcessUse::pid))
                .limit(most)
                .toList();
    }

    /** CPU one process used, in cores. */
    record ProcessUse(long pid, double cores) {}

    private double cores(long pid, long cpuNanos) {
        return Math.max(0, cpuNanos - begin.cpuNanosOfAll().getOrDefault(pid, 0L)) / nanos();
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
