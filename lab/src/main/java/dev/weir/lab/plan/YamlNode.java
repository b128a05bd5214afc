package dev.weir.lab.plan;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** A node of a YAML file that knows its place, so that every complaint about it begins with file and line. */
final class YamlNode {
    private static final int LARGEST_FILE_MEGABYTES = 1;

    private final Path file;
    private final String what;
    private final Node node;

    private YamlNode(Path file, String what, Node node) {
        this.file = file;
        this.what = what;
        this.node = node;
    }

    /** The root of a file. */
    static YamlNode read(Path file) {
        LoadSettings settings = LoadSettings.builder().setLabel(file.toString()).build();
        String text = BoundedFile.text(file, LARGEST_FILE_MEGABYTES, ": put long lists into a CSV file");
        try {
            return new Compose(settings)
                    .composeString(text)
                    .map(root -> new YamlNode(file, "the file", root))
                    .orElseThrow(() -> new PlanException(file + " is empty: it must hold 'requests'"));
        } catch (MarkedYamlEngineException e) {
            String place =
                    e.getProblemMark().map(mark -> ":" + (mark.getLine() + 1)).orElse("");
            throw new PlanException(file + place + ": not valid YAML: " + e.getProblem(), e);
        } catch (YamlEngineException e) {
            throw new PlanException(file + ": not valid YAML: " + firstLine(e), e);
        } catch (StackOverflowError e) {
            // The composer recurses with the nesting and has no bound of its own for it.
            throw new PlanException(file + " nests its brackets too deeply: a request file needs no more than five", e);
        }
    }

    private static String firstLine(YamlEngineException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }

    /** A complaint about this node. */
    PlanException complaint(String sentence) {
        return new PlanException(place() + sentence);
    }

    /** A complaint of a part that does not know its place, told with this node's. */
    PlanException complaint(PlanException cause) {
        return new PlanException(place() + cause.getMessage(), cause);
    }

    private String place() {
        return file
                + node.getStartMark().map(mark -> ":" + (mark.getLine() + 1)).orElse("") + ": ";
    }

    /** Its entries by key, in the file's order; keys outside the allowed ones are refused. */
    Map<String, YamlNode> fields(List<String> allowed) {
        Map<String, YamlNode> fields = entries();
        fields.forEach((key, value) -> {
            if (!allowed.contains(key)) {
                throw value.complaint("unknown key '" + key + "' in " + what + Spelling.hint(key, allowed)
                        + ": allowed are " + String.join(", ", allowed));
            }
        });
        return fields;
    }

    /** Its entries by key, in the file's order; a key given twice is refused. */
    Map<String, YamlNode> entries() {
        if (!(node instanceof MappingNode mapping)) {
            throw complaint(what + " must be a list of 'key: value'");
        }
        Map<String, YamlNode> entries = new LinkedHashMap<>();
        for (NodeTuple entry : mapping.getValue()) {
            YamlNode keyNode = new YamlNode(file, "a key of " + what, entry.getKeyNode());
            String key = keyNode.text();
            if (entries.put(key, new YamlNode(file, "'" + key + "'", entry.getValueNode())) != null) {
                throw keyNode.complaint("'" + key + "' is given twice in " + what + ": keep one");
            }
        }
        return entries;
    }

    /** Its items, at least one. */
    List<YamlNode> items(String itemName) {
        if (!(node instanceof SequenceNode sequence) || sequence.getValue().isEmpty()) {
            throw complaint(what + " must be a list with at least one " + itemName);
        }
        return sequence.getValue().stream()
                .map(item -> new YamlNode(file, "a " + itemName, item))
                .toList();
    }

    String text() {
        if (!(node instanceof ScalarNode scalar) || scalar.getTag().equals(Tag.NULL)) {
            throw complaint(what + " must be a text"
                    + (node instanceof MappingNode ? ": put text that begins with a" + " brace between quotes" : ""));
        }
        return scalar.getValue();
    }

    /** A whole number in the range. */
    long integer(long least, long most) {
        String text = text();
        try {
            long number = Long.parseLong(text.replace("_", ""));
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // told below, like a number out of range
        }
        throw complaint(what + " is '" + text + "': it must be a whole number from " + least + " to " + most);
    }

    /** A number in the range. */
    double number(double least, double most) {
        String text = text();
        try {
            double number = Double.parseDouble(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // told below, like a number out of range
        }
        throw complaint(what + " is '" + text + "': it must be a number from " + plain(least) + " to " + plain(most));
    }

    private static String plain(double number) {
        return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
    }

    /** A file named by it, relative to the folder of the YAML file. */
    Path file() {
        return file.resolveSibling(text());
    }
}
