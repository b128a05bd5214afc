package dev.weir.app.demo;

import dev.weir.lab.check.CheckJson;
import dev.weir.lab.check.CheckResult;
import dev.weir.lab.report.BeforeAfter;
import dev.weir.lab.report.Comparison;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The demo's JSON: both checks as {@code weir check --json} writes them, and the comparison. */
final class DemoJson {
    /** Name and version of the format. */
    static final String SCHEMA = "weir.demo/1";

    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    /**
     * The document.
     *
     * @param comparison null where there was no second check
     */
    static String text(CheckResult before, @Nullable Comparison comparison) {
        return MAPPER.writeValueAsString(tree(before, comparison)) + "\n";
    }

    private static ObjectNode tree(CheckResult before, @Nullable Comparison comparison) {
        ObjectNode tree = MAPPER.createObjectNode();
        tree.put("schema", SCHEMA);
        tree.set("before", CheckJson.tree(before));
        if (comparison != null) {
            tree.put("change", comparison.change());
            tree.set("after", CheckJson.tree(comparison.after()));
            ArrayNode rows = tree.putArray("comparison");
            BeforeAfter.rows(comparison)
                    .forEach(row -> rows.addObject()
                            .put("figure", row.figure())
                            .put("before", row.before())
                            .put("after", row.after())
                            .put("ratio", row.ratio()));
        }
        return tree;
    }

    private DemoJson() {}
}
