package dev.weir.lab.knee;

import dev.weir.lab.measure.Measurement;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a step must hold to count as sustained.
 *
 * @param latency bounds on percentiles of latency from the intended time
 * @param maxErrorShare highest share of offered requests that may fail, 0 to 1
 */
public record Slo(List<LatencyBound> latency, double maxErrorShare) {

    /** Share of failed requests allowed where an objective names none. */
    public static final double DEFAULT_MAX_ERROR_SHARE = 0.001;

    private static final String GRAMMAR =
            "write clauses such as p99<200ms, p99.9<1s, max<2s or errors<0.1%," + " separated by commas";
    private static final Pattern CLAUSE = Pattern.compile(
            "(p\\d{1,2}(?:\\.\\d{1,6})?|max|errors)\\s*<=?\\s*" + "(\\d{1,9}(?:\\.\\d{1,9})?)\\s*(us|ms|s|%|)");

    /** {@code percentile} (0 to 100) must stay below {@code maxMillis}. */
    public record LatencyBound(double percentile, double maxMillis) {

        /** The bound as the user writes it, for example {@code p99<200ms}. */
        public String text() {
            return (percentile == 100 ? "max" : "p" + number(percentile)) + "<" + number(maxMillis) + "ms";
        }
    }

    public Slo {
        latency = List.copyOf(latency);
    }

    /**
     * Reads an objective as the command line takes it, for example {@code p99<200ms,errors<0.1%}. Where no clause bounds
     * the errors, {@link #DEFAULT_MAX_ERROR_SHARE} of them may fail.
     *
     * @throws IllegalArgumentException with one sentence for the user, if it is not one
     */
    public static Slo parse(String text) {
        List<LatencyBound> latency = new ArrayList<>();
        double maxErrorShare = Double.NaN;
        for (String written : text.split(",", -1)) {
            Matcher clause = CLAUSE.matcher(written.strip().toLowerCase(Locale.ROOT));
            if (!clause.matches()) {
                throw new IllegalArgumentException(
                        "objective '" + text + "' holds '" + written.strip() + "', which is no bound: " + GRAMMAR);
            }
            if (!clause.group(1).equals("errors")) {
                latency.add(latencyBound(text, clause));
            } else if (Double.isNaN(maxErrorShare)) {
                maxErrorShare = errorShare(text, clause);
            } else {
                throw new IllegalArgumentException("objective '" + text + "' bounds the errors twice: keep one");
            }
        }
        return new Slo(latency, Double.isNaN(maxErrorShare) ? DEFAULT_MAX_ERROR_SHARE : maxErrorShare);
    }

    /** What of it a run broke, each as a sentence with its figures; empty where all of it holds. */
    public List<String> broken(Measurement run) {
        List<String> broken = new ArrayList<>();
        for (LatencyBound bound : latency) {
            double millis = run.fromIntended().getValueAtPercentile(bound.percentile()) / 1e6;
            if (run.completed() == 0) {
                broken.add(bound.text() + ": nothing completed");
            } else if (millis >= bound.maxMillis()) {
                broken.add(bound.text() + ": it is " + figure(millis) + " ms");
            }
        }
        if (run.errorShare() > maxErrorShare) {
            broken.add(errorText() + ": it is " + figure(run.errorShare() * 100) + "%");
        }
        return broken;
    }

    /** The objective as the user writes it, the bound on errors included. */
    public String text() {
        return Stream.concat(latency.stream().map(LatencyBound::text), Stream.of(errorText()))
                .collect(Collectors.joining(","));
    }

    private String errorText() {
        return "errors<" + number(maxErrorShare * 100) + "%";
    }

    private static LatencyBound latencyBound(String text, Matcher clause) {
        double value = Double.parseDouble(clause.group(2));
        double millis = value * millisOf(text, clause.group(3));
        if (millis <= 0) {
            throw new IllegalArgumentException(
                    "objective '" + text + "' bounds a latency by 0, which nothing can hold: give a time above 0");
        }
        String what = clause.group(1);
        return new LatencyBound(what.equals("max") ? 100 : Double.parseDouble(what.substring(1)), millis);
    }

    private static double millisOf(String text, String unit) {
        return switch (unit) {
            case "us" -> 0.001;
            case "ms" -> 1;
            case "s" -> 1_000;
            default ->
                throw new IllegalArgumentException(
                        "objective '" + text + "' bounds a latency without a unit of time: write us, ms or s after it");
        };
    }

    private static double errorShare(String text, Matcher clause) {
        double percent = Double.parseDouble(clause.group(2));
        if (!clause.group(3).equals("%") || percent > 100) {
            throw new IllegalArgumentException(
                    "objective '" + text + "' must bound the errors in percent, 0% to 100%, for example errors<0.1%");
        }
        return percent / 100;
    }

    /** To four significant digits. */
    private static String figure(double value) {
        return number(new BigDecimal(value).round(new MathContext(4)).doubleValue());
    }

    private static String number(double value) {
        String text = String.format(Locale.ROOT, "%.6f", value);
        return text.replaceFirst("\\.?0+$", "");
    }
}
