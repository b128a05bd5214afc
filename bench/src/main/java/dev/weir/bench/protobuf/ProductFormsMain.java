package dev.weir.bench.protobuf;

import dev.weir.bench.jmh.Scores;
import dev.weir.bench.jmh.SideBySide;
import dev.weir.bench.jmh.SideBySide.Variant;
import dev.weir.bench.protobuf.ProductForms.Content;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.openjdk.jmh.runner.RunnerException;

/** Runs {@link ProductForms} and prints its tables beside the mission's figures: ROUNDS SECONDS LOG. */
final class ProductFormsMain {

    private static final double MISSION_JSON_BYTES = 847;
    private static final double MISSION_PROTOBUF_BYTES = 312;
    private static final double TOLERANCE = 0.05;
    private static final int ITERATIONS = 5;

    private static final Map<String, String> METHODS = methods();

    private ProductFormsMain() {}

    private static Map<String, String> methods() {
        Map<String, String> methods = new LinkedHashMap<>();
        methods.put("JSON written, Jackson 3", "jsonWrite");
        methods.put("JSON written, prepared writer", "jsonWritePrepared");
        methods.put("protobuf written", "protobufWrite");
        methods.put("protobuf built and written", "protobufBuildAndWrite");
        methods.put("JSON read, prepared reader", "jsonRead");
        methods.put("protobuf read", "protobufRead");
        return methods;
    }

    public static void main(String[] args) throws RunnerException {
        var runs = new SideBySide(Integer.parseInt(args[0]), ITERATIONS, Integer.parseInt(args[1]), Path.of(args[2]));
        for (Content content : Content.values()) {
            printSizes(content);
            printScores(runs.run(variants(content)));
        }
        System.out.println(
                "The mission's figures: JSON 1.2 M ops/s and 847 bytes, protobuf 8.4 M ops/s and 312 bytes: 7 x.");
    }

    private static List<Variant> variants(Content content) {
        List<Variant> variants = new ArrayList<>();
        METHODS.forEach((label, method) -> variants.add(
                new Variant(label, "\\.ProductForms\\." + method + "$", Map.of("content", content.name()))));
        return variants;
    }

    private static void printSizes(Content content) {
        var forms = new ProductForms();
        forms.content = content;
        double[] bytes = forms.meanBytes();
        System.out.printf(
                Locale.ROOT,
                "## %s%n%nMean of %d products: JSON %.0f bytes, protobuf %.0f bytes: %.2f of it.%s%n%n",
                content == Content.NUMBERS ? "A product of numbers and short texts" : "A product that is mostly text",
                ProductForms.PRODUCTS,
                bytes[0],
                bytes[1],
                bytes[1] / bytes[0],
                content == Content.NUMBERS ? " " + goal(bytes) : "");
    }

    private static String goal(double[] bytes) {
        boolean reached = near(bytes[0], MISSION_JSON_BYTES) && near(bytes[1], MISSION_PROTOBUF_BYTES);
        return "Goal, within 5 % of the mission's 847 and 312: " + (reached ? "reached." : "missed.");
    }

    private static boolean near(double bytes, double mission) {
        return Math.abs(bytes / mission - 1) <= TOLERANCE;
    }

    private static void printScores(Map<String, Scores> scores) {
        System.out.println(
                "| One thread | Median ops/s | Lowest to highest | Of JSON with a prepared writer or reader |");
        System.out.println("|---|---:|---:|---:|");
        scores.forEach((label, values) -> System.out.printf(
                Locale.ROOT,
                "| %s | %,.0f | %s | %.2f x |%n",
                label,
                values.median(),
                values.range(),
                values.median() / json(scores, label)));
        System.out.println();
    }

    private static double json(Map<String, Scores> scores, String label) {
        String base = label.contains("read") ? "JSON read, prepared reader" : "JSON written, prepared writer";
        return Objects.requireNonNull(scores.get(base)).median();
    }
}
