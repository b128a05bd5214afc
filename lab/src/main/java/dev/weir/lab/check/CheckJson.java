package dev.weir.lab.check;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.weir.lab.collect.ServiceSample;
import dev.weir.lab.diagnose.Verdict;
import dev.weir.lab.knee.Capacity;
import java.time.Duration;
import java.time.Instant;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/**
 * Writes a check's result in its published format, docs/reference/weir-check.schema.json: the components of
 * {@link CheckResult} under their names, save that times are in seconds and say so, that words stand for enumerations,
 * and that what is infinite or not a number is null.
 */
public final class CheckJson {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .addMixIn(CheckResult.class, ResultNames.class)
            .addMixIn(CheckResult.WarmUp.class, WarmUpNames.class)
            .addMixIn(CheckResult.Step.class, StepNames.class)
            .addMixIn(ServiceSample.class, SampleNames.class)
            .addMixIn(Capacity.class, CapacityNames.class)
            .addModule(new SimpleModule()
                    .addSerializer(Duration.class, new Seconds())
                    .addSerializer(Instant.class, new Iso())
                    .addSerializer(Capacity.Limit.class, new LimitWord())
                    .addSerializer(Verdict.Cause.class, new CauseWord())
                    .addSerializer(Double.class, new Finite())
                    .addSerializer(double.class, new Finite()))
            .build();

    /** The result as JSON, with a line break at its end. */
    public static String text(CheckResult result) {
        return MAPPER.writeValueAsString(result) + "\n";
    }

    /** The result as a tree, to be put into a larger document. */
    public static JsonNode tree(CheckResult result) {
        return MAPPER.valueToTree(result);
    }

    private interface ResultNames {
        @JsonProperty("tookSeconds")
        Duration took();
    }

    private interface WarmUpNames {
        @JsonProperty("tookSeconds")
        Duration took();
    }

    private interface StepNames {
        @JsonProperty("durationSeconds")
        Duration duration();
    }

    private interface SampleNames {
        @JsonProperty("windowSeconds")
        Duration window();
    }

    private interface CapacityNames {
        @JsonProperty("low")
        double lowPerSecond();

        @JsonProperty("high")
        double highPerSecond();
    }

    private static final class Seconds extends ValueSerializer<Duration> {
        @Override
        public void serialize(Duration value, JsonGenerator out, SerializationContext context) {
            out.writeNumber(value.toMillis() / 1000.0);
        }
    }

    private static final class Iso extends ValueSerializer<Instant> {
        @Override
        public void serialize(Instant value, JsonGenerator out, SerializationContext context) {
            out.writeString(value.toString());
        }
    }

    private static final class LimitWord extends ValueSerializer<Capacity.Limit> {
        @Override
        public void serialize(Capacity.Limit value, JsonGenerator out, SerializationContext context) {
            out.writeString(value.id());
        }
    }

    private static final class CauseWord extends ValueSerializer<Verdict.Cause> {
        @Override
        public void serialize(Verdict.Cause value, JsonGenerator out, SerializationContext context) {
            out.writeString(value.id());
        }
    }

    private static final class Finite extends ValueSerializer<Double> {
        @Override
        public void serialize(Double value, JsonGenerator out, SerializationContext context) {
            if (Double.isFinite(value)) {
                out.writeNumber(value);
            } else {
                out.writeNull();
            }
        }
    }

    private CheckJson() {}
}
