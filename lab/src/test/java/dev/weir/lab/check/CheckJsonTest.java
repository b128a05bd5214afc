package dev.weir.lab.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.lab.check.CheckResult.Calibration;
import dev.weir.lab.check.CheckResult.Step;
import dev.weir.lab.check.CheckResult.WarmUp;
import dev.weir.lab.diagnose.Verdict;
import dev.weir.lab.diagnose.Verdict.Cause;
import dev.weir.lab.diagnose.Verdict.Change;
import dev.weir.lab.diagnose.Verdict.Evidence;
import dev.weir.lab.host.Machine;
import dev.weir.lab.knee.Capacity;
import dev.weir.lab.knee.Capacity.Limit;
import dev.weir.lab.knee.Slo;
import dev.weir.lab.knee.Slo.LatencyBound;
import dev.weir.lab.knee.Usl;
import dev.weir.lab.measure.GeneratorCost;
import dev.weir.lab.measure.LatencySummary;
import dev.weir.lab.measure.SecondSample;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class CheckJsonTest {
    private static final Path SCHEMA = Path.of("../docs/reference/weir-check.schema.json");

    @Test
    void followsThePublishedSchema() throws IOException {
        JsonNode schema = JsonMapper.builder().build().readTree(Files.readString(SCHEMA));

        assertThat(violations(schema, schema, CheckJson.tree(result(new Capacity(388, 412, Limit.PLATEAU))), "$"))
                .isEmpty();
        assertThat(violations(
                        schema,
                        schema,
                        CheckJson.tree(result(new Capacity(1000, Double.POSITIVE_INFINITY, Limit.MAX_RATE))),
                        "$"))
                .isEmpty();
    }

    @Test
    void theSchemaKnowsEveryMemberThatIsWritten() throws IOException {
        JsonNode schema = JsonMapper.builder().build().readTree(Files.readString(SCHEMA));
        JsonNode tree = CheckJson.tree(result(new Capacity(388, 412, Limit.PLATEAU)));

        assertThat(schema.get("properties").propertyNames()).containsAll(tree.propertyNames());
        assertThat(schema.at("/properties/steps/items/properties").propertyNames())
                .containsAll(tree.at("/steps/0").propertyNames());
    }

    @Test
    void writesWordsSecondsAndNullForWhatIsInfinite() {
        JsonNode tree = CheckJson.tree(result(new Capacity(1000, Double.POSITIVE_INFINITY, Limit.MAX_RATE)));

        assertThat(tree.at("/capacity/low").asDouble()).isEqualTo(1000);
        assertThat(tree.at("/capacity/high").isNull()).isTrue();
        assertThat(tree.at("/capacity/limit").asString()).isEqualTo("max-rate");
        assertThat(tree.at("/verdict/cause").asString()).isEqualTo("worker-threads");
        assertThat(tree.at("/tookSeconds").asDouble()).isEqualTo(83.5);
        assertThat(tree.at("/usl/peakInFlight").isNull()).isTrue();
        assertThat(tree.at("/steps/0/littleRatio").isNull()).isTrue();
    }

    @Test
    void theTextBeginsWithTheSentenceAndNamesTheChange() {
        StringWriter text = new StringWriter();

        CheckText.write(
                new PrintWriter(text),
                new CheckOutcome(
                        result(new Capacity(388, 412, Limit.PLATEAU)), CheckOutcome.Ending.UNSETTLED, "time was up"));

        assertThat(text.toString())
                .startsWith("Sustains 388 to 412 requests/s; above that completions stay behind arrivals. All 8 threads"
                        + " are busy.")
                .contains("Not settled: time was up.")
                .contains("Change: set server.tomcat.threads.max from 8 to 16")
                .contains("Objective: p99<200ms,errors<0.1%");
    }

    @Test
    void theTextSaysWhichRequestsFailedWhereThatSetTheLimit() {
        StringWriter text = new StringWriter();

        CheckText.write(
                new PrintWriter(text),
                new CheckOutcome(result(new Capacity(388, 412, Limit.ERRORS)), CheckOutcome.Ending.SETTLED, ""));

        assertThat(text.toString())
                .contains("Failed at 100/s: 3 timeout (no answer within 2 s), 1.00 % of the requests.");
    }

    private static CheckResult result(Capacity capacity) {
        return new CheckResult(
                CheckResult.SCHEMA,
                "http://localhost:8080/",
                Instant.parse("2026-11-30T12:00:00Z"),
                Duration.ofMillis(83_500),
                new Machine("CPU", 2, 1L << 34, "Linux", "Temurin 25"),
                new CheckResult.Service(42, "java app.jar", "OpenJDK 25"),
                new Slo(List.of(new LatencyBound(99, 200)), 0.001),
                new Calibration(30_000, 11.2),
                new WarmUp(Duration.ofSeconds(8), 3_000, true, "it was flat"),
                capacity,
                new Usl(50, 0.1, 0, Double.POSITIVE_INFINITY, 0.02),
                new Verdict(
                        Cause.WORKER_THREADS,
                        "All 8 threads are busy.",
                        List.of(new Evidence("busy threads", "8 of 8", "thread dumps")),
                        new Change("server.tomcat.threads.max", "8", "16", "400/s x 20 ms = 8", 790.0),
                        List.of("The database.")),
                List.of(step()));
    }

    private static Step step() {
        LatencySummary latency = new LatencySummary(
                100, 21, 20, 21, 22, 23, 24, 25, 26, 27, 28, List.of(new LatencySummary.Point(50, 21)));
        return new Step(
                1,
                "search",
                100,
                100,
                100,
                Duration.ofSeconds(3),
                false,
                List.of("completions stayed behind"),
                Map.of("timeout", 3L),
                Map.of("timeout", "no answer within 2 s"),
                2.1,
                Double.NaN,
                latency,
                latency,
                latency,
                List.of(new SecondSample(0, 100, 100, 98, 0, 2.1, 20_000_000, 25_000_000)),
                new GeneratorCost(1_000_000, 0.1, -1, 0.5, 2),
                null);
    }

    /** What of the schema's types, required members, constants and enumerations a value breaks. */
    private static List<String> violations(JsonNode root, JsonNode schema, JsonNode value, String path) {
        if (schema.has("$ref")) {
            return violations(root, root.at(schema.get("$ref").asString().substring(1)), value, path);
        }
        List<String> broken = new ArrayList<>();
        if (schema.has("type") && !typeHolds(schema.get("type"), value)) {
            broken.add(path + " is " + value.getNodeType());
        }
        if (schema.has("const") && !schema.get("const").equals(value)) {
            broken.add(path + " is " + value);
        }
        if (schema.has("enum") && !contains(schema.get("enum"), value)) {
            broken.add(path + " is " + value);
        }
        if (value.isObject() && schema.has("required")) {
            schema.get("required").forEach(name -> {
                if (!value.has(name.asString())) {
                    broken.add(path + " lacks " + name);
                }
            });
        }
        if (value.isObject() && schema.has("properties")) {
            for (String name : schema.get("properties").propertyNames()) {
                if (value.has(name)) {
                    broken.addAll(
                            violations(root, schema.get("properties").get(name), value.get(name), path + "." + name));
                }
            }
        }
        if (value.isArray() && schema.has("items")) {
            value.forEach(item -> broken.addAll(violations(root, schema.get("items"), item, path + "[]")));
        }
        return broken;
    }

    private static boolean typeHolds(JsonNode type, JsonNode value) {
        if (type.isArray()) {
            return StreamSupport.stream(type.spliterator(), false).anyMatch(each -> typeHolds(each, value));
        }
        return switch (type.asString()) {
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "string" -> value.isString();
            case "number" -> value.isNumber();
            case "integer" -> value.isIntegralNumber();
            case "boolean" -> value.isBoolean();
            case "null" -> value.isNull();
            default -> false;
        };
    }

    private static boolean contains(JsonNode values, JsonNode value) {
        return StreamSupport.stream(values.spliterator(), false).anyMatch(value::equals);
    }
}
