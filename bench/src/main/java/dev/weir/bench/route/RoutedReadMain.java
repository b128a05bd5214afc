package dev.weir.bench.route;

import dev.weir.bench.jmh.Scores;
import dev.weir.bench.jmh.SideBySide;
import dev.weir.bench.jmh.SideBySide.Variant;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.openjdk.jmh.runner.RunnerException;

/** Runs {@link RoutedRead} and prints its table: ROUNDS SECONDS LOG. */
final class RoutedReadMain {

    private static final double GOAL_NANOS = 1_000;
    private static final int ITERATIONS = 5;
    private static final String BASELINE = "lazy proxy + HikariCP";
    private static final String WEIR = "Weir, 4 replicas";

    private RoutedReadMain() {}

    public static void main(String[] args) throws RunnerException {
        var runs = new SideBySide(Integer.parseInt(args[0]), ITERATIONS, Integer.parseInt(args[1]), Path.of(args[2]));
        print(runs.run(List.of(
                variant(BASELINE, RoutedRead.Routing.LAZY_PROXY),
                variant(WEIR, RoutedRead.Routing.WEIR),
                variant("Weir, a session that wrote", RoutedRead.Routing.WEIR_WITH_SESSION))));
    }

    private static Variant variant(String label, RoutedRead.Routing routing) {
        return new Variant(label, "\\.RoutedRead\\.transaction$", Map.of("routing", routing.name()));
    }

    private static void print(Map<String, Scores> scores) {
        double baseline = median(scores, BASELINE);
        System.out.println("| Routing | Median ns a transaction | Lowest to highest | Above the lazy proxy |");
        System.out.println("|---|---:|---:|---:|");
        scores.forEach((label, values) -> System.out.printf(
                Locale.ROOT,
                "| %s | %,.0f | %s | %+,.0f |%n",
                label,
                values.median(),
                values.range(),
                values.median() - baseline));
        double added = median(scores, WEIR) - baseline;
        System.out.printf(
                Locale.ROOT,
                "%nGoal: at most +%,.0f ns: %+,.0f ns, %s.%n",
                GOAL_NANOS,
                added,
                added <= GOAL_NANOS ? "reached" : "missed");
    }

    private static double median(Map<String, Scores> scores, String label) {
        return Objects.requireNonNull(scores.get(label)).median();
    }
}
