package dev.weir.lab.engine;

import com.sun.management.OperatingSystemMXBean;
import dev.weir.lab.measure.GeneratorCost;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.StringTokenizer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the generator spends between its making and {@link #read}. */
final class CostMeter {
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int IDLE_FIELD = 3;
    private static final int IO_WAIT_FIELD = 4;

    private final List<EventLoop> loops;
    private final long startNanos = System.nanoTime();
    private final long cpuNanos = SYSTEM.getProcessCpuTime();
    private final long[] threadNanos;
    private final long runDelayNanos;
    private final long @Nullable [] machine = machineTicks();

    CostMeter(List<EventLoop> loops) {
        this.loops = loops;
        this.threadNanos = loops.stream().mapToLong(CostMeter::threadNanos).toArray();
        this.runDelayNanos = runDelayNanos(loops);
    }

    GeneratorCost read() {
        double wallNanos = Math.max(1, System.nanoTime() - startNanos);
        long busiest = 0;
        for (int i = 0; i < threadNanos.length; i++) {
            busiest = Math.max(busiest, threadNanos(loops.get(i)) - threadNanos[i]);
        }
        long delay = runDelayNanos(loops);
        return new GeneratorCost(
                SYSTEM.getProcessCpuTime() - cpuNanos,
                Math.min(1, busiest / wallNanos),
                delay < 0 || runDelayNanos < 0 ? -1 : delay - runDelayNanos,
                machineShare(machine, machineTicks()),
                Runtime.getRuntime().availableProcessors());
    }

    private static long threadNanos(EventLoop loop) {
        return Math.max(0, THREADS.getThreadCpuTime(loop.thread().threadId()));
    }

    /** The second figure of schedstat: nanoseconds spent runnable and waiting for a processor. */
    private static long runDelayNanos(List<EventLoop> loops) {
        long sum = 0;
        for (EventLoop loop : loops) {
            try {
                String stat = Files.readString(Path.of("/proc/self/task", loop.taskId(), "schedstat"));
                StringTokenizer figures = new StringTokenizer(stat);
                figures.nextToken();
                sum += Long.parseLong(figures.nextToken());
            } catch (IOException | RuntimeException e) {
                return -1;
            }
        }
        return sum;
    }

    /** Clock ticks of all processors since boot: those idle, and all of them; null where the system does not tell. */
    private static long @Nullable [] machineTicks() {
        try {
            String all =
                    Files.readString(Path.of("/proc/stat")).lines().findFirst().orElse("");
            // The guest's time, from the ninth figure on, is already part of the user's.
            long[] ticks = Pattern.compile(" +")
                    .splitAsStream(all)
                    .skip(1)
                    .limit(8)
                    .mapToLong(Long::parseLong)
                    .toArray();
            return new long[] {
                ticks[IDLE_FIELD] + ticks[IO_WAIT_FIELD], Arrays.stream(ticks).sum()
            };
        } catch (IOException | RuntimeException e) {
            return null;
        }
    }

    private static double machineShare(long @Nullable [] before, long @Nullable [] after) {
        if (before == null || after == null || after[1] <= before[1]) {
            return -1;
        }
        return 1 - (double) (after[0] - before[0]) / (after[1] - before[1]);
    }
}
