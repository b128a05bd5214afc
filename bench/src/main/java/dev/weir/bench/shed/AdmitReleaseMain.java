package dev.weir.bench.shed;

import com.sun.management.ThreadMXBean;
import dev.weir.bench.jmh.Scores;
import dev.weir.bench.jmh.SideBySide;
import dev.weir.bench.jmh.SideBySide.Variant;
import dev.weir.bench.shed.Limiter.Kind;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.openjdk.jmh.runner.RunnerException;

/** Runs {@link AdmitRelease} and prints its table: ROUNDS SECONDS LOG. */
final class AdmitReleaseMain {

    private static final int ITERATIONS = 3;
    private static final int[] THREADS = {1, 2, 8, 64};
    private static final double GOAL_RATIO = 2;
    private static final int ALLOCATION_CALLS = 2_000_000;

    private AdmitReleaseMain() {}

    public static void main(String[] args) throws RunnerException {
        var runs = new SideBySide(Integer.parseInt(args[0]), ITERATIONS, Integer.parseInt(args[1]), Path.of(args[2]));
        Map<Kind, Double> bytes = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            bytes.put(kind, bytesAnOperation(kind.create()));
        }
        List<Variant> variants = new ArrayList<>();
        for (int threads : THREADS) {
            for (Kind kind : Kind.values()) {
                variants.add(new Variant(
                        label(kind, threads),
                        "\\.AdmitRelease\\.threads" + threads + "$",
                        Map.of("kind", kind.name())));
            }
        }
        print(runs.run(variants), bytes);
    }

    private static String label(Kind kind, int threads) {
        return kind + "/" + threads;
    }

    /** After a warm-up of the same length; what the limiter's own threads allocate is not in it. */
    private static double bytesAnOperation(Limiter limiter) {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        call(limiter);
        long before = threads.getCurrentThreadAllocatedBytes();
        call(limiter);
        return (threads.getCurrentThreadAllocatedBytes() - before) / (double) ALLOCATION_CALLS;
    }

    private static void call(Limiter limiter) {
        for (int i = 0; i < ALLOCATION_CALLS; i++) {
            if (!limiter.admitAndRelease()) {
                throw new IllegalStateException("A limiter refused while it had places.");
            }
        }
    }

    private static void print(Map<String, Scores> scores, Map<Kind, Double> bytes) {
        System.out.println("Median ns for a place taken and given back (lowest to highest).");
        System.out.println();
        System.out.println("| Limiter | 1 thread | 2 threads | 8 threads | 64 threads | B/op, 1 thread |");
        System.out.println("|---|---:|---:|---:|---:|---:|");
        for (Kind kind : Kind.values()) {
            System.out.printf("| %s |", kind.label());
            for (int threads : THREADS) {
                System.out.printf(" %s |", scores(scores, kind, threads).figures(0));
            }
            System.out.printf(Locale.ROOT, " %.1f |%n", Objects.requireNonNull(bytes.get(kind)));
        }
        System.out.println();
        for (int threads : THREADS) {
            double ratio = scores(scores, Kind.WEIR, threads).median()
                    / scores(scores, Kind.SEMAPHORE, threads).median();
            System.out.printf(
                    Locale.ROOT,
                    "%d threads: %.2f times the semaphore; goal at most %.0f, %s.%n",
                    threads,
                    ratio,
                    GOAL_RATIO,
                    ratio <= GOAL_RATIO ? "reached" : "missed");
        }
    }

    private static Scores scores(Map<String, Scores> scores, Kind kind, int threads) {
        return Objects.requireNonNull(scores.get(label(kind, threads)));
    }
}
