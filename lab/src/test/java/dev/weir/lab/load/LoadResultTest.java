package dev.weir.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.weir.lab.host.Machine;
import dev.weir.lab.knee.Slo;
import dev.weir.lab.measure.Measurement;
import dev.weir.lab.measure.SampleRun;
import dev.weir.lab.plan.Load;
import dev.weir.lab.plan.RequestPlan;
import dev.weir.lab.plan.Target;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LoadResultTest {
    private static final Path SCHEMA = Path.of("..", "docs", "reference", "weir-load.schema.json");
    private static final Instant STARTED = Instant.parse("2026-11-30T12:00:00Z");

    @Test
    void writesJsonThatConformsToThePublishedSchema() throws IOException {
        assertThat(problems(result(new SampleRun().timedOut(3), Slo.parse("p99<1ms"))))
                .isEmpty();
        assertThat(problems(result(new SampleRun().timedOut(10_000).ratePerSecond(0), null)))
                .isEmpty();
        assertThat(problems(result(new SampleRun().lagMicros(20_000).machineCpuShare(-1), null)))
                .isEmpty();
    }

    @Test
    void wouldNoticeJsonThatDoesNotConform() throws IOException {
        String json = LoadJson.text(result(new SampleRun(), null));

        assertThat(schema().validate(json.replace("\"late\"", "\"later\""), InputFormat.JSON))
                .isNotEmpty();
        assertThat(schema().validate(json.replace("weir.load/1", "weir.load/2"), InputFormat.JSON))
                .isNotEmpty();
    }

    @Test
    void beginsTheTextWithTheSentence() {
        assertThat(text(result(new SampleRun(), null)))
                .startsWith(
                        "1,000 requests/s asked for, 1,000/s offered, 1,000/s completed, p99 2.05 ms, no errors.\n\nLoad ");
        assertThat(text(result(new SampleRun().timedOut(30), null)))
                .startsWith(
                        "1,000 requests/s asked for, 1,000/s offered, 997/s completed, p99 2.05 ms, 30 errors (0.3%).\n\n")
                .contains("\nFailed        timeout: 30\n");
    }

    @Test
    void saysInOneLineThatTheGeneratorWasTheLimit() {
        LoadResult result = result(new SampleRun().busiestThreadShare(0.95).machineCpuShare(0.99), null);

        assertThat(text(result))
                .contains("\nThe generator was the limit: the busiest engine thread used 95 % of a CPU, 99 % of this"
                        + " machine's CPUs were in use; give the generator more threads");
    }

    @Test
    void warnsOfALagThatIsSmallBesideTheLatencyWithoutBlamingTheGenerator() {
        assertThat(text(result(new SampleRun().lagMicros(1_900).latencyMicros(21_000), null)))
                .contains("\nRead with care: requests left late (p99 1.90 ms, beside a median latency of 21.0 ms)")
                .doesNotContain("was the limit");
        assertThat(text(result(new SampleRun().lagMicros(20_000).latencyMicros(21_000), null)))
                .contains("\nThe generator was the limit: requests left late (p99 20.0 ms");
    }

    @Test
    void saysWhetherTheObjectiveHolds() {
        assertThat(text(result(new SampleRun(), Slo.parse("p99<5ms"))))
                .contains("\nObjective p99<5ms,errors<0.1% holds.\n");
        assertThat(text(result(new SampleRun(), Slo.parse("p99<1ms"))))
                .contains("\nObjective p99<1ms,errors<0.1% is broken: p99<1ms: it is 2.05 ms.\n");
    }

    @Test
    void putsBothLatenciesSideBySide() {
        assertThat(text(result(new SampleRun().lagMicros(500), null)))
                .contains("\nLatency        from intended      from sent\n")
                .contains("\n  p99.9       %14s %14s\n".formatted("2.5 ms", "2 ms"));
    }

    @Test
    void logsHistogramsThatReadBackExactly() {
        Measurement run = new SampleRun().measurement();

        HistogramLogReader log = new HistogramLogReader(
                new ByteArrayInputStream(HistogramLog.text(run, STARTED).getBytes(StandardCharsets.UTF_8)));

        assertThat(read(log, "intended")).isEqualTo(run.fromIntended());
        assertThat(read(log, "sent")).isEqualTo(run.fromSent());
        assertThat(read(log, "lag")).isEqualTo(run.scheduleLag());
        assertThat(log.hasNext()).isFalse();
        assertThat(log.getStartTimeSec()).isEqualTo((double) STARTED.getEpochSecond());
    }

    private static Histogram read(HistogramLogReader log, String tag) {
        EncodableHistogram histogram = log.nextIntervalHistogram();
        assertThat(histogram.getTag()).isEqualTo(tag);
        return (Histogram) histogram;
    }

    private static LoadResult result(SampleRun run, @Nullable Slo slo) {
        Measurement measurement = run.measurement();
        Load load = measurement.ratePerSecond() == 0
                ? Load.closed(Duration.ofSeconds(10))
                : Load.poisson(measurement.ratePerSecond(), Duration.ofSeconds(10), 7);
        LoadOptions options = LoadOptions.of(RequestPlan.get(Target.parse("http://localhost:8080/x")), load, 1, 100, 2);
        return LoadResult.of(options, measurement, Machine.current(), STARTED, false, slo);
    }

    private static String text(LoadResult result) {
        StringWriter written = new StringWriter();
        LoadText.write(new PrintWriter(written), result);
        return written.toString().replace(System.lineSeparator(), "\n");
    }

    private static Iterable<?> problems(LoadResult result) throws IOException {
        return schema().validate(LoadJson.text(result), InputFormat.JSON);
    }

    private static Schema schema() throws IOException {
        return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(Files.readString(SCHEMA), InputFormat.JSON);
    }
}
