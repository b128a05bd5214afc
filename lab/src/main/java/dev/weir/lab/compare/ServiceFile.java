package dev.weir.lab.compare;

import dev.weir.lab.amount.Amounts;
import dev.weir.lab.plan.BoundedFile;
import dev.weir.lab.plan.PlanException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Reads a service file; docs/reference/compare.md describes its format. */
public final class ServiceFile {
    /** How long a service may take to get ready where nothing is said. */
    public static final Duration READY_TIMEOUT = Duration.ofSeconds(90);

    private static final int LARGEST_MEGABYTES = 1;
    private static final Set<String> KEYS =
            new TreeSet<>(Set.of("name", "command", "directory", "env", "properties", "url", "ready", "ready-timeout"));
    private static final YAMLMapper YAML = YAMLMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private final Path file;
    private final JsonNode root;

    private ServiceFile(Path file, JsonNode root) {
        this.file = file;
        this.root = root;
    }

    /**
     * Reads one.
     *
     * @throws IllegalArgumentException with one sentence that names the file, if it cannot be used
     */
    public static Variant read(Path file) {
        return new ServiceFile(file, tree(file)).variant();
    }

    private static JsonNode tree(Path file) {
        try {
            return YAML.readTree(BoundedFile.text(file, LARGEST_MEGABYTES, ": give a service file"));
        } catch (PlanException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        } catch (JacksonException e) {
            throw new IllegalArgumentException(
                    file + " is no valid YAML, line " + e.getLocation().getLineNr() + ": " + e.getOriginalMessage(), e);
        }
    }

    private Variant variant() {
        if (!root.isObject()) {
            throw wrong("holds no settings; write at least command and url");
        }
        root.propertyNames().stream()
                .filter(key -> !KEYS.contains(key))
                .findFirst()
                .ifPresent(key -> {
                    throw wrong("has the key '" + key + "'; allowed are " + String.join(", ", KEYS));
                });
        String url = required("url");
        return new Variant(
                text("name", nameOfFile()),
                command(),
                flat("env"),
                flat("properties"),
                url,
                text("ready", url),
                readyTimeout(),
                file.toAbsolutePath().resolveSibling(text("directory", ".")).normalize());
    }

    private String nameOfFile() {
        return String.valueOf(file.getFileName()).replaceFirst("\\.ya?ml$", "");
    }

    private List<String> command() {
        JsonNode command = root.get("command");
        if (command != null && command.isArray()) {
            return command.values().stream()
                    .map(word -> scalar("command", word))
                    .toList();
        }
        String line = required("command");
        try {
            return CommandWords.of(line);
        } catch (IllegalArgumentException e) {
            throw wrong("has a command that cannot be split: " + e.getMessage());
        }
    }

    private Duration readyTimeout() {
        if (!root.has("ready-timeout")) {
            return READY_TIMEOUT;
        }
        String given = required("ready-timeout");
        try {
            return Amounts.time(given);
        } catch (IllegalArgumentException e) {
            throw wrong("has a ready-timeout that cannot be used: " + e.getMessage());
        }
    }

    private SequencedMap<String, String> flat(String key) {
        SequencedMap<String, String> values = new LinkedHashMap<>();
        JsonNode node = root.get(key);
        if (node == null || node.isNull()) {
            return values;
        }
        if (!node.isObject()) {
            throw wrong("has '" + key + "' as a single value; write names and values below it");
        }
        addFlat(key, "", node, values);
        return values;
    }

    private void addFlat(String key, String prefix, JsonNode node, Map<String, String> values) {
        node.properties().forEach(entry -> {
            String name = prefix + entry.getKey();
            if (entry.getValue().isObject()) {
                addFlat(key, name + ".", entry.getValue(), values);
            } else {
                values.put(name, scalar(key + "." + name, entry.getValue()));
            }
        });
    }

    private String required(String key) {
        String value = text(key, "");
        if (value.isBlank()) {
            throw wrong("has no " + key + "; it must name one");
        }
        return value;
    }

    private String text(String key, String otherwise) {
        JsonNode value = root.get(key);
        return value == null || value.isNull() ? otherwise : scalar(key, value);
    }

    private String scalar(String key, JsonNode value) {
        if (!value.isValueNode() || value.isNull()) {
            throw wrong("has '" + key + "' without a single value; write one, in quotes where it holds { or :");
        }
        return value.asString();
    }

    private IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException(file + " " + what);
    }
}
