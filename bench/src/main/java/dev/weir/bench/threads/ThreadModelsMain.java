package dev.weir.bench.threads;

import dev.weir.bench.jmh.Scores;
import dev.weir.bench.jmh.SideBySide;
import dev.weir.bench.jmh.SideBySide.Variant;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.openjdk.jmh.runner.RunnerException;

/** Runs {@link ThreadModels} and prints its table beside the mission's figures: ROUNDS SECONDS LOG. */
final class ThreadModelsMain {

    private static final double GOAL = 7;
    private static final int ITERATIONS = 5;

    private ThreadModelsMain() {}

    public static void main(String[] args) throws RunnerException {
        var runs = new SideBySide(Integer.parseInt(args[0]), ITERATIONS, Integer.parseInt(args[1]), Path.of(args[2]));
        Map<String, Scores> scores = runs.run(List.of(
                variant("200 platform threads", ThreadModels.Model.PLATFORM_200),
                variant("Reactor's bounded elastic", ThreadModels.Model.BOUNDED_ELASTIC),
                variant("virtual threads", ThreadModels.Model.VIRTUAL)));
        print(scores);
    }

    private static Variant variant(String label, ThreadModels.Model model) {
        return new Variant(label, "\\.ThreadModels\\.batch$", Map.of("model", model.name()));
    }

    private static void print(Map<String, Scores> scores) {
        double platform = median(scores, "200 platform threads");
        System.out.println("| Threads | Median tasks/s | Lowest to highest | Of 200 platform threads | Mission |");
        System.out.println("|---|---:|---:|---:|---:|");
        scores.forEach((label, values) -> System.out.printf(
                Locale.ROOT,
                "| %s | %,.0f | %s | %.2f x | %s |%n",
                label,
                values.median(),
                values.range(),
                values.median() / platform,
                mission(label)));
        double ratio = median(scores, "virtual threads") / platform;
        System.out.printf(
                Locale.ROOT,
                "%nGoal: virtual threads at least %.0f x the 200: %.1f x, %s (the mission's figures: 7.7 x).%n",
                GOAL,
                ratio,
                ratio >= GOAL ? "reached" : "missed");
    }

    private static double median(Map<String, Scores> scores, String label) {
        return Objects.requireNonNull(scores.get(label)).median();
    }

    private static String mission(String label) {
        return switch (label) {
            case "200 platform threads" -> "18,500";
            case "virtual threads" -> "142,000";
            default -> "";
        };
    }
}
