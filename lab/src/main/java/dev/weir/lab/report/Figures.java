package dev.weir.lab.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Numbers as people read them: thousands separators, no more digits than mean something. What was not measured (null,
 * NaN) is a dash, never 0.
 */
final class Figures {

    static final String NONE = "–";

    private static final String SPACE = "\u00a0";

    /** About three significant digits. */
    static String number(@Nullable Double value) {
        if (value == null || value.isNaN()) {
            return NONE;
        }
        if (value.isInfinite()) {
            return value > 0 ? "∞" : "-∞";
        }
        double size = Math.abs(value);
        int decimals = size >= 100 || size == 0 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }

    static String rate(@Nullable Double perSecond) {
        String number = number(perSecond);
        String whole =
                number.endsWith(".00") || number.endsWith(".0") ? number.substring(0, number.indexOf('.')) : number;
        return number.equals(NONE) ? NONE : whole + "/s";
    }

    static String millis(@Nullable Double millis) {
        return unit(number(millis), "ms");
    }

    /** {@code share} of 0 to 1. */
    static String percent(@Nullable Double share) {
        return unit(number(share == null ? null : share * 100), "%");
    }

    /** Such as {@code 2.4 ×}: how many times {@code before} {@code after} is. */
    static String ratio(@Nullable Double before, @Nullable Double after) {
        if (before == null || after == null || !(before > 0) || before.isInfinite() || !Double.isFinite(after)) {
            return NONE;
        }
        return unit(number(after / before), "×");
    }

    static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /** Such as {@code 1 step}, {@code 14 steps}. */
    static String count(long count, String noun) {
        return count(count) + SPACE + noun + (count == 1 ? "" : "s");
    }

    static String duration(Duration duration) {
        if (duration.toMinutes() >= 1) {
            long seconds = duration.plusMillis(500).toSeconds();
            return seconds / 60 + SPACE + "min " + seconds % 60 + SPACE + "s";
        }
        double seconds = duration.toNanos() / 1e9;
        return seconds < 1 ? millis(seconds * 1e3) : String.format(Locale.ROOT, "%.1f", seconds) + SPACE + "s";
    }

    static String gibibytes(long bytes) {
        return unit(String.format(Locale.ROOT, "%,.1f", bytes / (double) (1L << 30)), "GiB");
    }

    /** Null where the value is missing by the convention of its record: negative, NaN or infinite. */
    static @Nullable Double present(double value) {
        return value >= 0 && Double.isFinite(value) ? value : null;
    }

    /** Six significant digits for a plot, which keeps the page small; null where there is nothing to plot. */
    static @Nullable Double plotted(@Nullable Double value) {
        if (value == null || !Double.isFinite(value)) {
            return null;
        }
        return BigDecimal.valueOf(value).round(new MathContext(6)).doubleValue();
    }

    private static String unit(String number, String unit) {
        return number.equals(NONE) ? NONE : number + SPACE + unit;
    }

    private Figures() {}
}
