package dev.weir.app.demo;

import dev.weir.lab.check.CheckJson;
import dev.weir.lab.check.CheckResult;
import dev.weir.lab.cli.ExitCode;
import dev.weir.lab.cli.UserException;
import dev.weir.lab.report.BeforeAfter;
import dev.weir.lab.report.Comparison;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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

    /** Refuses a file that cannot be written, before minutes are spent on what goes into it. */
    static void requireWritable(@Nullable String file) {
        if (file == null || file.equals("-")) {
            return;
        }
        Path path = Path.of(file).toAbsolutePath();
        Path folder = path.getParent();
        if (Files.isDirectory(path) || folder == null || !Files.isWritable(folder)) {
            throw new UserException(
                    ExitCode.USAGE,
                    "--json " + file + " cannot be written; give a file in a folder that exists and is yours");
        }
    }

    /**
     * Writes it in one step.
     *
     * @param file {@code -} for {@code out}; null for nowhere
     * @param comparison null where there was no second check
     */
    static void write(@Nullable String file, PrintWriter out, CheckResult before, @Nullable Comparison comparison)
            throws IOException {
        if (file == null) {
            return;
        }
        String text = MAPPER.writeValueAsString(tree(before, comparison));
        if (file.equals("-")) {
            out.println(text);
            return;
        }
        Path path = Path.of(file).toAbsolutePath();
        Path part = path.resolveSibling(path.getFileName() + ".part");
        Files.writeString(part, text);
        Files.move(part, path, StandardCopyOption.REPLACE_EXISTING);
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
