package dev.weir.bench.watch;

import dev.weir.bench.jmh.SideBySide;
import dev.weir.bench.jmh.SideBySide.Variant;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.runner.RunnerException;

/** Runs {@link TimerCost} and prints its table: ROUNDS SECONDS LOG. */
final class TimerCostMain {

    private static final int ITERATIONS = 5;
    private static final Map<String, String> METHODS = methods();

    private TimerCostMain() {}

    private static Map<String, String> methods() {
        Map<String, String> methods = new LinkedHashMap<>();
        methods.put("System.currentTimeMillis, twice", "currentTimeMillis");
        methods.put("System.nanoTime, twice", "nanoTime");
        methods.put("Spring's StopWatch, one a span", "stopWatch");
        methods.put("Micrometer timer, Timer.start and stop", "micrometerTimer");
        methods.put("weir.watch: one call of a budget", "budgetCall");
        methods.put("weir.watch: a request's budget with one call", "wholeBudget");
        return methods;
    }

    public static void main(String[] args) throws RunnerException {
        var runs = new SideBySide(Integer.parseInt(args[0]), ITERATIONS, Integer.parseInt(args[1]), Path.of(args[2]));
        List<Variant> variants = METHODS.entrySet().stream()
                .map(each -> new Variant(each.getKey(), "\\.TimerCost\\." + each.getValue() + "$", Map.of()))
                .toList();
        System.out.println("| One span | Median ns (lowest to highest) |");
        System.out.println("|---|---:|");
        runs.run(variants).forEach((label, values) -> System.out.printf("| %s | %s |%n", label, values.figures(1)));
    }
}
