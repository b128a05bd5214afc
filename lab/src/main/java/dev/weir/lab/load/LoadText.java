package dev.weir.lab.load;

import dev.weir.lab.measure.GeneratorLimit;
import dev.weir.lab.measure.LatencySummary;
import dev.weir.lab.measure.Measurement;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Writes a result for a reader: the sentence first, then the figures behind it. */
public final class LoadText {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final String CONNECTIONS = GeneratorLimit.Kind.CONNECTIONS.id();

    private final PrintWriter out;
    private final LoadResult result;

    private LoadText(PrintWriter out, LoadResult result) {
        this.out = out;
        this.result = result;
    }

    /** Writes all of it. */
    public static void write(PrintWriter out, LoadResult result) {
        LoadText text = new LoadText(out, result);
        text.sentence();
        text.limits();
        text.objective();
        out.println();
        text.howItWasAsked();
        text.counts();
        text.failures();
        text.latencies();
        text.generator();
        out.println();
        // The two lines that scripts written for wrk look for.
        out.printf(Locale.ROOT, "Requests/sec: %10.2f%n", result.completedPerSecond());
        out.printf("Transfer/sec: %10s%n", Words.bytes(result.bytesReceived() / result.durationSeconds()));
        out.flush();
    }

    /** Writes the percentiles from the intended time in full, in the text format of HdrHistogram, in milliseconds. */
    public static void writePercentiles(PrintWriter out, Measurement run) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        run.fromIntended()
                .outputPercentileDistribution(new PrintStream(bytes, true, StandardCharsets.UTF_8), 5, NANOS_PER_MILLI);
        out.println();
        out.println("Percentiles from the intended time (ms):");
        out.print(bytes.toString(StandardCharsets.UTF_8));
        out.flush();
    }

    private void sentence() {
        LoadOptions options = result.options();
        String asked = options.ratePerSecond() == null
                ? "Closed loop over " + Words.count(options.connections()) + " connections: "
                : Words.rate(options.ratePerSecond()) + " requests/s asked for, "
                        + Words.rate(result.offeredPerSecond()) + "/s offered, ";
        out.println(asked + Words.rate(result.completedPerSecond()) + "/s completed, "
                + (result.fromIntended().count() == 0
                        ? ""
                        : "p99 " + Words.time(result.fromIntended().p99Millis()) + ", ")
                + errors() + (result.interrupted() ? ", ended early" : "") + ".");
    }

    private String errors() {
        return result.failures() == 0
                ? "no errors"
                : Words.count(result.failures()) + " errors (" + Words.percent(result.errorShare()) + ")";
    }

    private void limits() {
        limit("Too few connections: ", limit -> limit.kind().equals(CONNECTIONS));
        limit(
                result.measuredTheGenerator() ? "The generator was the limit: " : "Read with care: ",
                limit -> !limit.kind().equals(CONNECTIONS));
    }

    /** One line with all reasons; the advice is that of the strongest, which is the first. */
    private void limit(String verdict, Predicate<LoadResult.Limit> which) {
        List<LoadResult.Limit> limits =
                result.generatorLimits().stream().filter(which).toList();
        if (!limits.isEmpty()) {
            out.println(verdict
                    + limits.stream().map(LoadResult.Limit::sentence).collect(Collectors.joining(", "))
                    + "; " + limits.getFirst().advice() + ".");
        }
    }

    private void objective() {
        LoadResult.Objective slo = result.slo();
        if (slo != null) {
            out.println("Objective " + slo.text()
                    + (slo.holds() ? " holds." : " is broken: " + String.join("; ", slo.broken()) + "."));
        }
    }

    private void howItWasAsked() {
        LoadOptions options = result.options();
        out.printf(
                "%-13s %s, %s, %d %s, %s connections, seed %d%n",
                "Load",
                options.url(),
                mode(options),
                options.threads(),
                options.threads() == 1 ? "thread" : "threads",
                Words.count(options.connections()),
                options.seed());
    }

    private static String mode(LoadOptions options) {
        return switch (options.mode()) {
            case "poisson" -> "open loop, Poisson arrivals";
            case "constant" -> "open loop, even arrivals";
            default -> "closed loop";
        };
    }

    private void counts() {
        out.printf(
                "%-13s offered %s, sent %s, completed %s, late %s, timed out %s, failed %s in %s%n",
                "Requests",
                Words.count(result.offered()),
                Words.count(result.sent()),
                Words.count(result.completed()),
                Words.count(result.late()),
                Words.count(result.failed().getOrDefault("timeout", 0L)),
                Words.count(result.failures()),
                Words.time(result.durationSeconds() * 1_000));
        out.printf("%-13s %s%n", "Statuses", statuses());
    }

    private String statuses() {
        return result.statuses().isEmpty()
                ? "none"
                : result.statuses().entrySet().stream()
                        .map(status -> status.getKey() + ": " + Words.count(status.getValue()))
                        .collect(Collectors.joining(", "));
    }

    private void failures() {
        for (Map.Entry<String, Long> kind : result.failed().entrySet()) {
            if (kind.getValue() > 0) {
                String reason = result.failureReasons().get(kind.getKey());
                out.printf(
                        "%-13s %s: %s%s%n",
                        "Failed",
                        kind.getKey(),
                        Words.count(kind.getValue()),
                        reason == null ? "" : " (" + reason + ")");
            }
        }
    }

    private void latencies() {
        out.println();
        out.printf("%-13s %14s %14s%n", "Latency", "from intended", "from sent");
        row("mean", LatencySummary::meanMillis);
        row("p50", LatencySummary::p50Millis);
        row("p75", LatencySummary::p75Millis);
        row("p90", LatencySummary::p90Millis);
        row("p99", LatencySummary::p99Millis);
        row("p99.9", LatencySummary::p999Millis);
        row("p99.99", LatencySummary::p9999Millis);
        row("max", LatencySummary::maxMillis);
        out.println();
    }

    private void row(String name, ToDoubleFunction<LatencySummary> millis) {
        out.printf("  %-11s %14s %14s%n", name, cell(result.fromIntended(), millis), cell(result.fromSent(), millis));
    }

    private static String cell(LatencySummary latency, ToDoubleFunction<LatencySummary> millis) {
        return latency.count() == 0 ? "-" : Words.time(millis.applyAsDouble(latency));
    }

    private void generator() {
        LatencySummary lag = result.scheduleLag();
        out.printf(
                "%-13s p50 %s, p99 %s, max %s%n",
                "Schedule lag", Words.time(lag.p50Millis()), Words.time(lag.p99Millis()), Words.time(lag.maxMillis()));
        LoadResult.Cost cost = result.generator();
        Double perRequest = cost.cpuMicrosPerRequest();
        Double runDelay = cost.runDelaySeconds();
        Double machine = cost.machineCpuShare();
        out.printf(
                "%-13s CPU %s a request, busiest thread %s, waited for a CPU %s, machine's CPUs %s in use (%d)%n",
                "Generator",
                perRequest == null ? "-" : Words.time(perRequest / 1_000),
                Words.percent(cost.busiestThreadShare()),
                runDelay == null ? "unknown" : Words.time(runDelay * 1_000),
                machine == null ? "unknown" : Words.percent(machine),
                cost.cpus());
        out.printf(
                "%-13s %s opened, %s in flight on average%n",
                "Connections", Words.count(result.connectionsOpened()), Words.rate(result.meanInFlight()));
    }
}
