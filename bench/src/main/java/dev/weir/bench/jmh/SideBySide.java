package dev.weir.bench.jmh;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Several variants of one bench, a fork each in turn and every second round backwards (A B B A), so that a machine that
 * grows slower treats all alike.
 *
 * @param rounds forks of each variant, above 0
 * @param iterations measured iterations a fork
 * @param seconds the length of an iteration
 * @param log where JMH's own output goes
 */
public record SideBySide(int rounds, int iterations, int seconds, Path log) {

    /** The heap and the collector are stated, since both would follow the machine. */
    private static final String[] JVM = {"-Xms512m", "-Xmx512m", "-XX:+UseG1GC"};

    private static final int WARM_UP_ITERATIONS = 3;

    /**
     * One variant.
     *
     * @param label how the table calls it
     * @param include JMH's pattern for the method
     * @param params JMH parameters of this variant
     */
    public record Variant(String label, String include, Map<String, String> params) {}

    /**
     * Runs all; blocks until the last fork has ended.
     *
     * @return the scores by label, in the order given
     */
    public Map<String, Scores> run(List<Variant> variants) throws RunnerException {
        Map<String, List<Double>> scores = new LinkedHashMap<>();
        variants.forEach(variant -> scores.put(variant.label(), new ArrayList<>()));
        for (int round = 0; round < rounds; round++) {
            List<Variant> order = new ArrayList<>(variants);
            if (round % 2 == 1) {
                Collections.reverse(order);
            }
            for (Variant variant : order) {
                System.err.printf("round %d of %d: %s%n", round + 1, rounds, variant.label());
                scores.computeIfAbsent(variant.label(), label -> new ArrayList<>())
                        .addAll(fork(variant, log.resolveSibling(log.getFileName() + "." + round)));
            }
        }
        Map<String, Scores> results = new LinkedHashMap<>();
        scores.forEach((label, values) -> results.put(label, new Scores(values)));
        return results;
    }

    private List<Double> fork(Variant variant, Path output) throws RunnerException {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include(variant.include())
                .forks(1)
                .warmupIterations(WARM_UP_ITERATIONS)
                .warmupTime(TimeValue.seconds(seconds))
                .measurementIterations(iterations)
                .measurementTime(TimeValue.seconds(seconds))
                .jvmArgs(JVM)
                .shouldFailOnError(true)
                .output(output.toString());
        variant.params().forEach((name, value) -> options.param(name, value));
        List<Double> scores = new ArrayList<>();
        for (RunResult result : new Runner(options.build()).run()) {
            result.getBenchmarkResults().stream()
                    .flatMap(fork -> fork.getIterationResults().stream())
                    .map(IterationResult::getPrimaryResult)
                    .forEach(iteration -> scores.add(iteration.getScore()));
        }
        return scores;
    }
}
