package dev.weir.lab.amount;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Amounts as users write them, on the command line and in files: plain decimal numbers with a suffix, never NaN, negative
 * or 1e309. All throw {@link IllegalArgumentException} with one sentence for the user.
 */
public final class Amounts {
    private static final Pattern NUMBER = Pattern.compile("(\\d{1,15}(?:\\.\\d{1,9})?)\\s*([a-zA-Z/]*)");
    private static final BigDecimal NANOS_PER_SECOND = BigDecimal.valueOf(1_000_000_000L);
    private static final Duration LONGEST = Duration.ofDays(30);
    private static final BigDecimal LARGEST_COUNT = BigDecimal.valueOf(1_000_000_000_000L);
    private static final BigDecimal LARGEST_RATE = BigDecimal.valueOf(10_000_000);

    /** Times such as {@code 30s}, {@code 2m}, {@code 500ms}; a bare number is in seconds. Above 0, at most 30 days. */
    public static Duration time(String text) {
        Matcher parts = parts(text, "a time: write one such as 30s, 2m or 500ms");
        BigDecimal nanos =
                new BigDecimal(parts.group(1)).multiply(NANOS_PER_SECOND).multiply(seconds(text, parts));
        if (nanos.signum() == 0) {
            throw new IllegalArgumentException("'" + text + "' is no time: give one above 0");
        }
        if (nanos.compareTo(BigDecimal.valueOf(LONGEST.toNanos())) > 0) {
            throw new IllegalArgumentException("'" + text + "' is too long: at most 30 days (720h) are allowed");
        }
        return Duration.ofNanos(Math.max(1, nanos.longValue()));
    }

    private static BigDecimal seconds(String text, Matcher parts) {
        return switch (parts.group(2)) {
            case "us" -> new BigDecimal("0.000001");
            case "ms" -> new BigDecimal("0.001");
            case "", "s" -> BigDecimal.ONE;
            case "m", "min" -> BigDecimal.valueOf(60);
            case "h" -> BigDecimal.valueOf(3_600);
            default ->
                throw new IllegalArgumentException(
                        "'" + text + "' has the unit '" + parts.group(2) + "': a time has us, ms, s, m or h");
        };
    }

    /** Requests per second such as {@code 1000}, {@code 1k}, {@code 1.5k/s}. Above 0, at most 10 million. */
    public static double ratePerSecond(String text) {
        String perSecond = text.strip().replaceFirst("(?i)/s(ec)?$", "");
        BigDecimal rate = si(text, perSecond, "a rate: write requests per second such as 1000, 1k or 1000/s");
        if (rate.signum() == 0) {
            throw new IllegalArgumentException("a rate of 0 sends nothing: give one above 0");
        }
        if (rate.compareTo(LARGEST_RATE) > 0) {
            throw new IllegalArgumentException("'" + text + "' is too much: at most 10M requests/s are allowed");
        }
        return rate.doubleValue();
    }

    /** Whole numbers such as {@code 100}, {@code 1k} or {@code 1M}. 1 or more, at most 10^12. */
    public static long count(String text) {
        BigDecimal count = si(text, text.strip(), "a number: write one such as 100, 1k or 1M");
        if (count.signum() == 0) {
            throw new IllegalArgumentException("0 is too few: give 1 or more");
        }
        if (count.compareTo(LARGEST_COUNT) > 0) {
            throw new IllegalArgumentException("'" + text + "' is too many: at most 1000000M are allowed");
        }
        if (count.stripTrailingZeros().scale() > 0) {
            throw new IllegalArgumentException("'" + text + "' is not a whole number");
        }
        return count.longValueExact();
    }

    /** Sizes such as {@code 65536}, {@code 64k}, {@code 1M} or {@code 1g}, by powers of 1,024. */
    public static long bytes(String text) {
        Matcher parts = parts(text, "a size: write bytes such as 65536, 64k or 1M");
        int power = switch (parts.group(2).toLowerCase(Locale.ROOT).replaceFirst("i?b$", "")) {
            case "" -> 0;
            case "k" -> 1;
            case "m" -> 2;
            case "g" -> 3;
            default ->
                throw new IllegalArgumentException(
                        "'" + text + "' has the unit '" + parts.group(2) + "': a size has k, M or G");
        };
        BigDecimal bytes = new BigDecimal(parts.group(1))
                .multiply(BigDecimal.valueOf(1_024).pow(power));
        if (bytes.compareTo(LARGEST_COUNT) > 0) {
            throw new IllegalArgumentException("'" + text + "' is too large: at most 900G are allowed");
        }
        return bytes.setScale(0, RoundingMode.DOWN).longValueExact();
    }

    private static BigDecimal si(String text, String amount, String whatItShouldBe) {
        Matcher parts = parts(text, amount, whatItShouldBe);
        int zeros = switch (parts.group(2)) {
            case "" -> 0;
            case "k", "K" -> 3;
            case "M" -> 6;
            case "G" -> 9;
            default ->
                throw new IllegalArgumentException(
                        "'" + text + "' has the suffix '" + parts.group(2) + "': k, M or G is allowed");
        };
        return new BigDecimal(parts.group(1)).scaleByPowerOfTen(zeros);
    }

    private static Matcher parts(String text, String whatItShouldBe) {
        return parts(text, text.strip(), whatItShouldBe);
    }

    private static Matcher parts(String text, String amount, String whatItShouldBe) {
        Matcher parts = NUMBER.matcher(amount);
        if (!parts.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not " + whatItShouldBe);
        }
        return parts;
    }

    private Amounts() {}
}
