package dev.weir.lab.size;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * A sizing with what it was computed from; written as JSON, it is the published format {@code weir.size/1}.
 *
 * @param schema name and version of the format
 */
public record SizingReport(String schema, Inputs inputs, List<Sizing.Line> sizes, List<String> warnings) {

    /** Name and version of the format. */
    public static final String SCHEMA = "weir.size/1";

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .build();

    /** {@link SizingInputs} with plain numbers. */
    public record Inputs(
            double ratePerSecond,
            double latencySeconds,
            int cores,
            int instances,
            double headroom,
            double reuseIntervalSeconds,
            @Nullable Double cpuPerRequestSeconds,
            @Nullable DatabaseInputs database) {}

    /** {@link SizingInputs.Database} with plain numbers. */
    public record DatabaseInputs(
            double holdSeconds, int cores, int spindles, int replicas, double readShare, int maxConnections) {}

    public SizingReport {
        sizes = List.copyOf(sizes);
        warnings = List.copyOf(warnings);
    }

    /** Sizes a service. */
    public static SizingReport of(SizingInputs inputs) {
        Sizing sizing = Sizing.of(inputs);
        return new SizingReport(SCHEMA, plain(inputs), sizing.lines(), sizing.warnings());
    }

    private static Inputs plain(SizingInputs inputs) {
        SizingInputs.Database database = inputs.database();
        return new Inputs(
                inputs.ratePerSecond(),
                inputs.latency().toNanos() / 1e9,
                inputs.cores(),
                inputs.instances(),
                inputs.headroom(),
                inputs.reuseInterval().toNanos() / 1e9,
                inputs.cpuPerRequest() == null ? null : inputs.cpuPerRequest().toNanos() / 1e9,
                database == null ? null : plain(database));
    }

    private static DatabaseInputs plain(SizingInputs.Database database) {
        return new DatabaseInputs(
                database.hold().toNanos() / 1e9,
                database.cores(),
                database.spindles(),
                database.replicas(),
                database.readShare(),
                database.maxConnections());
    }

    /** As JSON, with a line break at its end. */
    public String json() {
        return MAPPER.writeValueAsString(this) + "\n";
    }

    /** For a reader: the sentence first, then each size with its arithmetic. */
    public void write(PrintWriter out) {
        out.printf(
                Locale.ROOT,
                "For %,.0f requests/s at %s each instance needs %,d worker threads and %,d connections%s.%n%n",
                inputs.ratePerSecond(),
                Sizing.time(Duration.ofNanos(Math.round(inputs.latencySeconds() * 1e9))),
                value("worker-threads"),
                value("connections"),
                inputs.instances() == 1 ? "" : " (" + inputs.instances() + " instances share the rate)");
        for (Sizing.Line line : sizes) {
            out.printf(Locale.ROOT, "%-21s %,8d   %s%n", line.what(), line.value(), line.formula());
            if (line.setting() != null) {
                out.printf(Locale.ROOT, "%-21s %8s   -> %s%n", "", "", setting(line));
            }
        }
        if (!warnings.isEmpty()) {
            out.println();
            warnings.forEach(warning -> out.println("Warning: " + warning + "."));
        }
        out.flush();
    }

    private static String setting(Sizing.Line line) {
        String setting = line.setting();
        return setting != null && setting.matches("[a-z.-]+")
                ? setting + "=" + line.value()
                : setting + " " + line.value();
    }

    private long value(String id) {
        return sizes.stream()
                .filter(line -> line.id().equals(id))
                .mapToLong(Sizing.Line::value)
                .findFirst()
                .orElseThrow();
    }
}
