package dev.weir.lab.plan;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads request files. Strict: an unknown key, a misspelt name of a value or a value out of range is refused with file
 * and line, since a mix that is quietly another one measures something else.
 */
final class RequestFile {
    private static final List<String> KEYS = List.of("url", "requests", "values");
    private static final List<String> REQUEST_KEYS =
            List.of("name", "weight", "method", "path", "headers", "body", "body-file");
    private static final List<String> SOURCES = List.of("sequence", "random", "zipf", "csv", "uuid");
    private static final List<String> ORDERS = List.of("sequential", "random");

    /** The one value that needs no declaration. */
    private static final String UUID = "uuid";

    private static final double LARGEST_WEIGHT = 1e9;
    private static final long MOST_ZIPF_ITEMS = 1_000_000_000_000L;
    private static final double LARGEST_EXPONENT = 10;

    private final Map<String, ValueSource> values = new HashMap<>(Map.of(UUID, new ValueSource.Uuid()));

    static RequestPlan read(Path file, @Nullable String url) {
        YamlNode root = YamlNode.read(file);
        Map<String, YamlNode> fields = root.fields(KEYS);
        RequestFile reader = new RequestFile();
        reader.readValues(fields.get("values"));
        List<Request> requests = required(root, fields, "requests").items("request").stream()
                .map(reader::request)
                .toList();
        return new RequestPlan(target(root, fields.get("url"), url), requests, reader.values);
    }

    private static YamlNode required(YamlNode parent, Map<String, YamlNode> fields, String key) {
        YamlNode field = fields.get(key);
        if (field == null) {
            throw parent.complaint("'" + key + "' is missing: add it");
        }
        return field;
    }

    private static Target target(YamlNode root, @Nullable YamlNode written, @Nullable String url) {
        if (url != null) {
            return withoutPath(Target.parse(url));
        }
        if (written == null) {
            throw root.complaint("no URL: give it on the command line, or as 'url' in the file");
        }
        try {
            return withoutPath(Target.parse(written.text()));
        } catch (PlanException e) {
            throw written.complaint(e);
        }
    }

    private static Target withoutPath(Target target) {
        if (!target.path().equals("/")) {
            throw new PlanException("the URL has the path " + target.path()
                    + ", but with a request file the paths are the file's: give scheme, host and port only");
        }
        return target;
    }

    private void readValues(@Nullable YamlNode node) {
        if (node == null) {
            return;
        }
        node.entries().forEach((name, source) -> {
            if (!Template.isName(name) || name.equals(UUID)) {
                throw source.complaint("'" + name + "' cannot be the name of a value: "
                        + (name.equals(UUID)
                                ? "{uuid} needs no declaration"
                                : "it begins with a letter, then letters, digits, '-' and '_' follow"));
            }
            values.put(name, source(name, source));
        });
    }

    private static ValueSource source(String name, YamlNode node) {
        Map<String, YamlNode> fields = node.fields(SOURCES);
        if (fields.size() != 1) {
            throw node.complaint("value '" + name + "' must have exactly one source: " + String.join(", ", SOURCES));
        }
        Map.Entry<String, YamlNode> only = fields.entrySet().iterator().next();
        return switch (only.getKey()) {
            case "sequence" -> sequence(only.getValue());
            case "random" -> random(only.getValue());
            case "zipf" -> zipf(only.getValue());
            case "csv" -> csv(only.getValue());
            default -> uuid(only.getValue());
        };
    }

    private static ValueSource sequence(YamlNode node) {
        Range range = range(node, node.fields(List.of("from", "to")), ValueSource.LARGEST);
        return new ValueSource.Sequence(range.from, range.to);
    }

    private static ValueSource random(YamlNode node) {
        Map<String, YamlNode> fields = node.fields(List.of("from", "to"));
        required(node, fields, "to");
        Range range = range(node, fields, 0);
        return new ValueSource.RandomRange(range.from, range.to);
    }

    private static ValueSource zipf(YamlNode node) {
        Map<String, YamlNode> fields = node.fields(List.of("from", "to", "exponent"));
        YamlNode to = required(node, fields, "to");
        Range range = range(node, fields, 0);
        if (range.to - range.from >= MOST_ZIPF_ITEMS) {
            throw to.complaint("a zipf range of more than " + MOST_ZIPF_ITEMS + " numbers is too long: shorten it");
        }
        YamlNode exponent = fields.get("exponent");
        return new ValueSource.Zipf(range.from, range.to, exponent == null ? 1 : exponent.number(0, LARGEST_EXPONENT));
    }

    private static ValueSource uuid(YamlNode node) {
        node.fields(List.of());
        return new ValueSource.Uuid();
    }

    private static ValueSource csv(YamlNode node) {
        Map<String, YamlNode> fields = node.fields(List.of("file", "column", "order"));
        YamlNode order = fields.get("order");
        if (order != null && !ORDERS.contains(order.text())) {
            throw order.complaint("'order' is '" + order.text() + "': it must be " + String.join(" or ", ORDERS));
        }
        YamlNode file = required(node, fields, "file");
        String column = required(node, fields, "column").text();
        try {
            return new ValueSource.Column(
                    CsvColumn.read(file.file(), column),
                    order != null && order.text().equals("random"));
        } catch (PlanException e) {
            throw file.complaint(e);
        }
    }

    /** A range of whole numbers, both ends included. */
    private record Range(long from, long to) {}

    private static Range range(YamlNode node, Map<String, YamlNode> fields, long defaultTo) {
        YamlNode fromNode = fields.get("from");
        YamlNode toNode = fields.get("to");
        long from = fromNode == null ? 1 : fromNode.integer(-ValueSource.LARGEST, ValueSource.LARGEST);
        long to = toNode == null ? defaultTo : toNode.integer(-ValueSource.LARGEST, ValueSource.LARGEST);
        if (to < from) {
            throw node.complaint("the range from " + from + " to " + to + " is empty: 'to' must not be below 'from'");
        }
        return new Range(from, to);
    }

    private Request request(YamlNode node) {
        Map<String, YamlNode> fields = node.fields(REQUEST_KEYS);
        YamlNode pathNode = required(node, fields, "path");
        Template path = path(pathNode);
        List<Request.Field> headers = headers(fields.get("headers"));
        Template body = body(node, fields);
        String method = text(fields, "method", body == null ? "GET" : "POST");
        String name = text(fields, "name", method + " " + pathNode.text());
        double weight = weight(fields.get("weight"));
        try {
            Request request = new Request(name, weight, method, path, headers, body);
            request.uses().forEach(this::check);
            return request;
        } catch (PlanException e) {
            throw node.complaint(e);
        }
    }

    private static String text(Map<String, YamlNode> fields, String key, String otherwise) {
        YamlNode field = fields.get(key);
        return field == null ? otherwise : field.text();
    }

    private static double weight(@Nullable YamlNode node) {
        double weight = node == null ? 1 : node.number(0, LARGEST_WEIGHT);
        if (node != null && weight == 0) {
            throw node.complaint(
                    "'weight' is 0, so the request would never be sent: give it a weight above 0, or" + " remove it");
        }
        return weight;
    }

    private static Template path(YamlNode node) {
        String path = node.text();
        if (!path.startsWith("/")) {
            throw node.complaint("'path' is '" + path + "': it must begin with '/'");
        }
        try {
            Template template = Template.parse(path);
            template.literals().forEach(PathEncoding::encode);
            return template;
        } catch (PlanException e) {
            throw node.complaint(e);
        }
    }

    private static List<Request.Field> headers(@Nullable YamlNode node) {
        List<Request.Field> headers = new ArrayList<>();
        if (node != null) {
            node.entries().forEach((name, value) -> headers.add(header(name, value)));
        }
        return headers;
    }

    private static Request.Field header(String name, YamlNode value) {
        Template template = Template.parse(value.text());
        try {
            Header.checkName(name);
            template.literals().forEach(text -> Header.checkValue(name, text));
            return new Request.Field(name, template);
        } catch (PlanException e) {
            throw value.complaint(e);
        }
    }

    private static @Nullable Template body(YamlNode request, Map<String, YamlNode> fields) {
        YamlNode text = fields.get("body");
        YamlNode file = fields.get("body-file");
        if (text != null && file != null) {
            throw request.complaint("a request has both 'body' and 'body-file': keep one");
        }
        if (file != null) {
            return Template.bytes(content(file));
        }
        return text == null ? null : Template.parse(text.text());
    }

    private static byte[] content(YamlNode node) {
        Path file = node.file();
        try {
            return BodyFile.read(file);
        } catch (PlanException e) {
            throw node.complaint(e);
        }
    }

    private void check(Request.Use use) {
        ValueSource source = values.get(use.name());
        if (source == null) {
            throw new PlanException("{" + use.name() + "} names no value"
                    + Spelling.hint(use.name(), new TreeSet<>(values.keySet())) + ": declare it under 'values', or"
                    + " write {{" + use.name() + "}} to send the braces as they are");
        }
        if (!source.fits(use.place())) {
            throw new PlanException("{" + use.name() + "} stands in a header, but some of its values hold a line break"
                    + " or another control character: remove those");
        }
    }
}
