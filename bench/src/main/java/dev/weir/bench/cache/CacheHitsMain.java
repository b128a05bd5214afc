package dev.weir.bench.cache;

import dev.weir.bench.jmh.Scores;
import dev.weir.stack.Stack;
import dev.weir.stack.StackConfig;
import dev.weir.stack.StackProgress;
import java.time.Duration;
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

/**
 * Runs {@link CacheHits} and {@link PeerHits}, a fork each in turn and back (A B B A), at 1 and 2 threads, then
 * {@link SharedHits}. Arguments: rounds, seconds, log, and all, process or redis.
 */
final class CacheHitsMain {
    private static final int ITERATIONS = 3;

    private static final Table LOCAL = new Table(
            "localSpringCaffeine",
            1.3,
            "localSpringWeir",
            List.of("localJetCache", "localRedisson"),
            rows(
                    "localCaffeine", "Caffeine",
                    "localSpringCaffeine", "Spring's CaffeineCache",
                    "localWeir", "Weir, plain API",
                    "localSpringWeir", "Weir, Spring's Cache",
                    "localJetCache", "JetCache BOTH",
                    "localRedisson", "Redisson local cached map"));

    private static final Duration SHARED = Duration.ofMinutes(2);

    private final int rounds;
    private final int seconds;
    private final String redis;
    private final String log;

    private CacheHitsMain(String[] args, String redis) {
        this.rounds = Integer.parseInt(args[0]);
        this.seconds = Integer.parseInt(args[1]);
        this.log = args[2];
        this.redis = redis;
    }

    /**
     * What is measured in turn.
     *
     * @param rows the labels by the methods' names
     */
    private record Table(String baseline, double goal, String ours, List<String> peers, Map<String, String> rows) {}

    private record Samples(List<Double> nanos, List<Double> bytes) {}

    public static void main(String[] args) throws Exception {
        try (Stack stack =
                Stack.start(StackConfig.defaults().withStandbys(0).withRedis(true), StackProgress.silent())) {
            var main = new CacheHitsMain(args, stack.redis().url());
            String part = args[3];
            if (!part.equals("redis")) {
                main.print("A hit in the process, 1 thread", LOCAL, 1);
                main.print("A hit in the process, 2 threads", LOCAL, 2);
            }
            if (!part.equals("process")) {
                try (var shared = new SharedHits(stack.redis().url())) {
                    shared.run(SHARED);
                }
            }
        }
    }

    private static Map<String, String> rows(String... namesAndLabels) {
        Map<String, String> rows = new LinkedHashMap<>();
        for (int i = 0; i < namesAndLabels.length; i += 2) {
            rows.put(namesAndLabels[i], namesAndLabels[i + 1]);
        }
        return rows;
    }

    private void print(String heading, Table table, int threads) throws RunnerException {
        Map<String, Samples> scores = run(table, threads);
        double base = nanos(scores, table.baseline());
        System.out.printf("## %s%n%n", heading);
        System.out.printf(
                "| | ns/op, median | Lowest to highest | B/op | x %s |%n",
                table.rows().get(table.baseline()));
        System.out.println("|---|---:|---:|---:|---:|");
        scores.forEach((name, s) -> System.out.printf(
                Locale.ROOT,
                "| %s | %,.1f | %,.1f to %,.1f | %,.0f | %.2f |%n",
                table.rows().get(name),
                median(s.nanos()),
                Collections.min(s.nanos()),
                Collections.max(s.nanos()),
                median(s.bytes()),
                median(s.nanos()) / base));
        double ratio = nanos(scores, table.ours()) / base;
        boolean ahead = table.peers().stream().allMatch(peer -> nanos(scores, peer) > nanos(scores, table.ours()));
        System.out.printf(
                Locale.ROOT,
                "%nGoal: %s at most %.2f x %s%s: %.2f x, %s.%n%n",
                table.rows().get(table.ours()),
                table.goal(),
                table.rows().get(table.baseline()),
                table.peers().isEmpty() ? "" : " and below every other cache of two layers",
                ratio,
                ratio <= table.goal() && ahead ? "reached" : "missed");
    }

    private Map<String, Samples> run(Table table, int threads) throws RunnerException {
        List<String> names = List.copyOf(table.rows().keySet());
        Map<String, Samples> scores = new LinkedHashMap<>();
        table.rows().keySet().forEach(name -> scores.put(name, new Samples(new ArrayList<>(), new ArrayList<>())));
        for (int round = 0; round < rounds; round++) {
            for (String name : round % 2 == 0 ? names : names.reversed()) {
                System.err.printf("round %d of %d: %s, threads: %d%n", round + 1, rounds, name, threads);
                fork(name, threads, Objects.requireNonNull(scores.get(name)));
            }
        }
        return scores;
    }

    private void fork(String name, int threads, Samples scores) throws RunnerException {
        for (RunResult result : new Runner(new OptionsBuilder()
                        .include("\\.(CacheHits|PeerHits)\\." + name + "$")
                        .param("url", redis)
                        .threads(threads)
                        .forks(1)
                        .warmupIterations(ITERATIONS)
                        .warmupTime(TimeValue.seconds(seconds))
                        .measurementIterations(ITERATIONS)
                        .measurementTime(TimeValue.seconds(seconds))
                        .jvmArgs(
                                "-Xms512m",
                                "-Xmx512m",
                                "-XX:+UseG1GC",
                                "-Dlogback.configurationFile=silent-logback.xml")
                        .shouldFailOnError(true)
                        .addProfiler(GCProfiler.class)
                        .output(log + "." + name)
                        .build())
                .run()) {
            scores.nanos().add(result.getPrimaryResult().getScore());
            scores.bytes()
                    .add(Objects.requireNonNull(result.getSecondaryResults().get("gc.alloc.rate.norm"))
                            .getScore());
        }
    }

    private static double nanos(Map<String, Samples> scores, String name) {
        return median(Objects.requireNonNull(scores.get(name)).nanos());
    }

    private static double median(List<Double> values) {
        return new Scores(values).median();
    }
}
