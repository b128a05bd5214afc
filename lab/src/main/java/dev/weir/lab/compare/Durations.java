package dev.weir.lab.compare;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times as users write them: {@code 500ms}, {@code 10s}, {@code 1.5m}. */
public final class Durations {
    private static final Pattern WRITTEN = Pattern.compile("([0-9]{1,9}(?:\\.[0-9]{1,6})?)(ms|s|m|h)");

    /** Reads one; empty where it is none, has no unit or is 0. */
    public static Optional<Duration> parse(String written) {
        Matcher parts = WRITTEN.matcher(written.strip());
        if (!parts.matches()) {
            return Optional.empty();
        }
        long millis = switch (parts.group(2)) {
            case "ms" -> 1;
            case "s" -> 1_000;
            case "m" -> 60_000;
            default -> 3_600_000;
        };
        Duration duration = Duration.ofNanos(new BigDecimal(parts.group(1))
                .multiply(BigDecimal.valueOf(millis * 1_000_000))
                .longValue());
        return duration.isZero() ? Optional.empty() : Optional.of(duration);
    }

    private Durations() {}
}
