package dev.weir.lab.report;

import dev.weir.lab.check.CheckResult.Step;
import dev.weir.lab.knee.Capacity;
import dev.weir.lab.knee.Slo;
import dev.weir.lab.knee.Usl;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Figures put into words. */
final class Wording {

    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    static String instant(Instant instant) {
        return MINUTE.format(instant);
    }

    static String capacity(Capacity capacity) {
        double low = capacity.lowPerSecond();
        double high = capacity.highPerSecond();
        if (Double.isInfinite(high)) {
            return low > 0 ? "at least " + Figures.rate(low) : "no rate was measured";
        }
        return low > 0 ? Figures.number(low) + " to " + Figures.rate(high) : "below " + Figures.rate(high);
    }

    /** How the interval is to be read. */
    static String interval(Capacity capacity) {
        double low = capacity.lowPerSecond();
        double high = capacity.highPerSecond();
        if (Double.isInfinite(high)) {
            if (low <= 0) {
                return "The search ended before a rate was confirmed.";
            }
            return capacity.limit() == Capacity.Limit.GENERATOR
                    ? "The highest rate that the generator could offer was sustained; the capacity lies above it."
                    : "The highest rate tried was sustained; the capacity lies above it.";
        }
        return low > 0
                ? Figures.rate(low) + " was confirmed as sustained and " + Figures.rate(high) + " as not sustained."
                : "Not even the lowest rate tried was sustained.";
    }

    static String limit(Capacity.Limit limit) {
        return switch (limit) {
            case SLO -> "the latency objective, which broke first";
            case PLATEAU -> "a plateau: completions stayed behind arrivals, the service does no more";
            case ERRORS -> "errors: too many requests failed";
            case GENERATOR -> "the generator or its machine, which could not offer more; the service may do more";
            case MAX_RATE -> "the highest rate tried, which was sustained";
        };
    }

    static String objective(Slo slo) {
        return spaced(slo.text()).replace(",", ", ");
    }

    static String bound(Slo.LatencyBound bound) {
        return spaced(bound.text());
    }

    private static String spaced(String clause) {
        return clause.replace("<", " < ");
    }

    static String scalability(@Nullable Usl usl) {
        String meaning = "Throughput against requests in flight, one mark a step.";
        if (usl == null) {
            return meaning + " The steps do not allow a fit of the Universal Scalability Law.";
        }
        String peak = Double.isFinite(usl.peakInFlight())
                ? "peak at " + Figures.number(usl.peakInFlight()) + " in flight"
                : "no peak";
        return meaning
                + " Dashed: the Universal Scalability Law with λ = " + Figures.rate(usl.lambda())
                + ", contention σ = " + coefficient(usl.sigma()) + ", coherency κ = " + coefficient(usl.kappa()) + ", "
                + peak + "; error " + Figures.percent(usl.relativeError()) + " of the mean throughput.";
    }

    private static String coefficient(double value) {
        if (value == 0 || !Double.isFinite(value)) {
            return Figures.number(value);
        }
        String text = String.format(Locale.ROOT, value < 1e-4 ? "%.1e" : "%.4f", value);
        return text.replace("e-0", "e-");
    }

    static String failures(Step step) {
        return step.failures().entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
                .map(failure -> failure.getKey() + " " + Figures.count(failure.getValue()))
                .collect(Collectors.joining(", "));
    }

    private Wording() {}
}
