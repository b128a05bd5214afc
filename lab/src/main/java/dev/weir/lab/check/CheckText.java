package dev.weir.lab.check;

import dev.weir.lab.check.CheckResult.Step;
import dev.weir.lab.diagnose.Verdict;
import dev.weir.lab.knee.Capacity;
import dev.weir.lab.knee.Usl;
import dev.weir.lab.measure.FailureKind;
import java.io.PrintWriter;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A check's result for a reader: the sentence first, then the change, the evidence, and the steps as a table. */
public final class CheckText {

    /** Writes all of it. */
    public static void write(PrintWriter out, CheckOutcome outcome) {
        CheckResult result = outcome.result();
        Verdict verdict = result.verdict();
        out.println(capacity(result.capacity()) + " " + verdict.sentence());
        if (result.capacity().limit() == Capacity.Limit.ERRORS) {
            writeFailures(out, result);
        }
        if (outcome.ending() != CheckOutcome.Ending.SETTLED) {
            out.println("Not settled: " + outcome.why() + ".");
        }
        Verdict.Change change = verdict.change();
        if (change != null) {
            writeChange(out, change);
        }
        writeEvidence(out, verdict);
        writeSteps(out, result);
        out.println();
        out.println(conditions(result));
    }

    /** The interval and what set it, as one sentence. */
    public static String capacity(Capacity capacity) {
        String limit = switch (capacity.limit()) {
            case SLO -> "above that the latency objective breaks";
            case PLATEAU -> "above that completions stay behind arrivals";
            case ERRORS -> "above that requests fail";
            case GENERATOR -> "this generator could not offer more";
            case MAX_RATE -> "that is the highest rate tried";
        };
        if (capacity.lowPerSecond() == 0) {
            return Double.isInfinite(capacity.highPerSecond())
                    ? "No rate was tried to its end."
                    : "Not even " + rate(capacity.highPerSecond()) + " requests/s are sustained.";
        }
        if (Double.isInfinite(capacity.highPerSecond())) {
            return "Sustains at least " + rate(capacity.lowPerSecond()) + " requests/s; " + limit + ".";
        }
        return "Sustains " + rate(capacity.lowPerSecond()) + " to " + rate(capacity.highPerSecond()) + " requests/s; "
                + limit + ".";
    }

    /** One step as one line. */
    static String stepLine(Step step) {
        return String.format(
                Locale.ROOT,
                "step %-3d %-7s %10s/s  %3d s  p99 %9s  in flight %7s  %s",
                step.index(),
                step.phase(),
                rate(step.offeredPerSecond()),
                Math.round(step.duration().toMillis() / 1000.0),
                millis(step.fromIntended().p99Millis()),
                rate(step.meanInFlight()),
                step.passed() ? "holds" : "does not hold: " + whyNot(step));
    }

    /** What failed in the step at the lowest rate in which something did. */
    private static void writeFailures(PrintWriter out, CheckResult result) {
        result.steps().stream()
                .filter(step -> !step.passed() && !failures(step).isEmpty())
                .min(Comparator.comparingDouble(Step::offeredPerSecond))
                .ifPresent(step ->
                        out.println("Failed at " + rate(step.offeredPerSecond()) + "/s: " + failures(step) + "."));
    }

    /** Failed requests by kind, most first, each with its share and one reason; without those that only ran out of time. */
    private static String failures(Step step) {
        double offered = Math.max(1, step.offeredPerSecond() * step.duration().toNanos() / 1e9);
        return step.failures().entrySet().stream()
                .filter(failure -> !failure.getKey().equals(FailureKind.UNFINISHED.id()))
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .map(failure -> String.format(
                        Locale.ROOT,
                        "%,d %s%s, %.2f %% of the requests",
                        failure.getValue(),
                        failure.getKey(),
                        reason(step, failure.getKey()),
                        Math.min(100, 100 * failure.getValue() / offered)))
                .collect(Collectors.joining("; "));
    }

    private static String reason(Step step, String kind) {
        String reason = step.failureReasons().getOrDefault(kind, kind);
        return reason.equals(kind) ? "" : " (" + reason + ")";
    }

    private static String whyNot(Step step) {
        String failures = failures(step);
        return String.join("; ", step.reasons()) + (failures.isEmpty() ? "" : "; failed: " + failures);
    }

    private static void writeChange(PrintWriter out, Verdict.Change change) {
        out.println();
        out.println("Change: " + (change.setsProperty() ? "set " : "") + change.inWords());
        out.println("  " + change.why());
        Double expected = change.expectedPerSecond();
        if (expected != null) {
            out.println("  Expected after it: about " + rate(expected) + " requests/s.");
        }
    }

    private static void writeEvidence(PrintWriter out, Verdict verdict) {
        if (!verdict.evidence().isEmpty()) {
            out.println();
            out.println("Evidence:");
            verdict.evidence()
                    .forEach(fact ->
                            out.println("  " + fact.what() + ": " + fact.value() + "  (" + fact.source() + ")"));
        }
        if (!verdict.missing().isEmpty()) {
            out.println();
            out.println("Not seen:");
            verdict.missing().forEach(sentence -> out.println("  " + sentence));
        }
    }

    private static void writeSteps(PrintWriter out, CheckResult result) {
        out.println();
        out.printf(
                Locale.ROOT,
                "%4s  %-7s %10s %10s %5s %10s %10s %10s  %s%n",
                "step",
                "phase",
                "offered/s",
                "done/s",
                "s",
                "p50",
                "p99",
                "in flight",
                "");
        for (Step step : result.steps()) {
            out.printf(
                    Locale.ROOT,
                    "%4d  %-7s %10s %10s %5d %10s %10s %10s  %s%n",
                    step.index(),
                    step.phase(),
                    rate(step.offeredPerSecond()),
                    rate(step.completedPerSecond()),
                    Math.round(step.duration().toMillis() / 1000.0),
                    millis(step.fromIntended().p50Millis()),
                    millis(step.fromIntended().p99Millis()),
                    rate(step.meanInFlight()),
                    step.passed() ? "holds" : step.reasons().getFirst());
        }
    }

    private static String conditions(CheckResult result) {
        Usl usl = result.usl();
        return String.format(
                Locale.ROOT,
                "Objective: %s. Generator: up to %s requests/s here. Warm-up: %s. Took %.0f s.%s",
                result.slo().text(),
                rate(result.calibration().maxPerSecond()),
                result.warmUp().why(),
                result.took().toMillis() / 1000.0,
                usl == null ? "" : scalability(usl));
    }

    private static String scalability(Usl usl) {
        return String.format(
                Locale.ROOT,
                "%nScalability law: %s/s for one in flight, contention %.3g, coherency %.2g, %s (error %.0f %%).",
                rate(usl.lambda()),
                usl.sigma(),
                usl.kappa(),
                Double.isInfinite(usl.peakInFlight())
                        ? "no peak"
                        : String.format(Locale.ROOT, "peak at %.0f in flight", usl.peakInFlight()),
                100 * usl.relativeError());
    }

    private static String rate(double perSecond) {
        return String.format(Locale.ROOT, perSecond < 10 ? "%.2f" : perSecond < 100 ? "%.1f" : "%,.0f", perSecond);
    }

    private static String millis(double millis) {
        return millis >= 10_000
                ? String.format(Locale.ROOT, "%.1f s", millis / 1000)
                : String.format(Locale.ROOT, millis < 100 ? "%.1f ms" : "%.0f ms", millis);
    }

    private CheckText() {}
}
