package dev.weir.bench.cache;

import dev.weir.stack.Stack;
import dev.weir.stack.StackConfig;
import dev.weir.stack.StackProgress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** Runs {@link CacheHits}, a fork each in turn and back (A B B A), at 1 and 2 threads. Arguments: rounds, seconds, log. */
final class CacheHitsMain {
    private static final int ITERATIONS = 3;
    private static final List<String> LOCAL =
            List.of("localCaffeine", "localSpringCaffeine", "localWeir", "localSpringWeir");
    private static final List<String> SHARED = List.of("sharedLettuce", "sharedWeir");

    private CacheHitsMain() {}

    private record Scores(List<Double> nanos, List<Double> bytes) {}

    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]);
        int seconds = Integer.parseInt(args[1]);
        try (Stack stack =
                Stack.start(StackConfig.defaults().withStandbys(0).withRedis(true), StackProgress.silent())) {
            for (int threads = 1; threads <= 2; threads++) {
                print(
                        run(LOCAL, threads, rounds, seconds, stack.redis().url(), args[2]),
                        threads,
                        "localSpringCaffeine");
            }
            print(run(SHARED, 1, rounds, seconds, stack.redis().url(), args[2]), 1, "sharedLettuce");
        }
    }

    private static Map<String, Scores> run(
            List<String> names, int threads, int rounds, int seconds, String redis, String log) throws RunnerException {
        Map<String, Scores> scores = new LinkedHashMap<>();
        names.forEach(name -> scores.put(name, new Scores(new ArrayList<>(), new ArrayList<>())));
        for (int round = 0; round < rounds; round++) {
            List<String> order = new ArrayList<>(names);
            if (round % 2 == 1) {
                Collections.reverse(order);
            }
            for (String name : order) {
                add(Objects.requireNonNull(scores.get(name)), name, threads, seconds, redis, log);
            }
        }
        return scores;
    }

    private static void add(Scores scores, String name, int threads, int seconds, String redis, String log)
            throws RunnerException {
        for (RunResult result : new Runner(new OptionsBuilder()
                        .include("\\.CacheHits\\." + name + "$")
                        .param("url", redis)
                        .threads(threads)
                        .forks(1)
                        .warmupIterations(ITERATIONS)
                        .warmupTime(TimeValue.seconds(seconds))
                        .measurementIterations(ITERATIONS)
                        .measurementTime(TimeValue.seconds(seconds))
                        .jvmArgs("-Xms512m", "-Xmx512m", "-XX:+UseG1GC")
                        .addProfiler(GCProfiler.class)
                        .output(log)
                        .build())
                .run()) {
            scores.nanos().add(result.getPrimaryResult().getScore());
            scores.bytes()
                    .add(Objects.requireNonNull(result.getSecondaryResults().get("gc.alloc.rate.norm"))
                            .getScore());
        }
    }

    private static void print(Map<String, Scores> scores, int threads, String baseline) {
        double base = median(Objects.requireNonNull(scores.get(baseline)).nanos());
        System.out.println(
                "| " + threads + (threads == 1 ? " thread" : " threads") + " | ns/op | B/op | x " + baseline + " |");
        System.out.println("|---|---|---|---|");
        scores.forEach((name, s) -> System.out.println(String.format(
                Locale.ROOT,
                "| %s | %,.1f (%,.1f to %,.1f) | %,.0f | %.2f |",
                name,
                median(s.nanos()),
                Collections.min(s.nanos()),
                Collections.max(s.nanos()),
                median(s.bytes()),
                median(s.nanos()) / base)));
        System.out.println();
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
