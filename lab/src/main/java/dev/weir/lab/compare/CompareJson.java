package dev.weir.lab.compare;

import dev.weir.lab.compare.FigureResult.Compared;
import dev.weir.lab.compare.FigureResult.NotEnoughData;
import dev.weir.lab.compare.FigureResult.NotMeasured;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Writes a comparison in its published format, docs/reference/weir-compare.schema.json. */
public final class CompareJson {
    /** Name and version of the format. */
    public static final String SCHEMA = "weir.compare/1";

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    /** The result as JSON text. */
    public static String of(CompareResult result) {
        ObjectNode root = JSON.createObjectNode();
        root.put("schema", SCHEMA);
        root.put("startedAt", result.startedAt().toString());
        root.put("tookSeconds", result.tookSeconds());
        root.put("complete", result.complete());
        root.put("restarted", result.restarted());
        root.set("machine", JSON.valueToTree(result.machine()));
        root.set("a", JSON.valueToTree(result.a()));
        root.set("b", JSON.valueToTree(result.b()));
        root.set("settings", settings(result));
        var figures = root.putArray("figures");
        result.figures().forEach(figure -> figures.add(figure(figure, result)));
        var notes = root.putArray("notes");
        result.notes().forEach(notes::add);
        var runs = root.putArray("runs");
        result.runs().forEach(run -> runs.add(JSON.<ObjectNode>valueToTree(run)));
        return JSON.writeValueAsString(root);
    }

    private static ObjectNode settings(CompareResult result) {
        CompareSettings settings = result.settings();
        ObjectNode node = JSON.createObjectNode();
        node.put("schedule", result.schedule());
        node.put("rounds", settings.rounds());
        node.put("timeSeconds", settings.time().toMillis() / 1e3);
        node.put("warmUpSeconds", settings.warmUp().toMillis() / 1e3);
        node.put("ratePerSecond", result.ratePerSecond());
        node.put("share", settings.share());
        node.put("seed", settings.seed());
        return node;
    }

    private static ObjectNode figure(FigureResult figure, CompareResult result) {
        ObjectNode node = JSON.createObjectNode();
        node.put("figure", figure.figure().id());
        node.put("unit", figure.figure().unit().strip());
        node.put("sentence", CompareText.sentence(figure, result.ratePerSecond()));
        switch (figure) {
            case Compared compared -> {
                node.put("verdict", compared.verdict().id());
                node.put("a", compared.a());
                node.put("b", compared.b());
                node.put("change", compared.change());
                node.put("low", compared.low());
                node.put("high", compared.high());
                node.put("floor", compared.floor());
            }
            case NotEnoughData data -> {
                node.put("verdict", "not-enough-data");
                node.put("missing", data.missing());
            }
            case NotMeasured not -> {
                node.put("verdict", "not-measured");
                node.put("missing", not.why());
            }
        }
        return node;
    }

    private CompareJson() {}
}
