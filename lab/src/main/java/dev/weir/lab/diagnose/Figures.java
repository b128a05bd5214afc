package dev.weir.lab.diagnose;

import java.util.Locale;

/** Figures as they stand in sentences, each with its unit. */
final class Figures {
    private Figures() {}

    /** For example {@code 3,980/s}. */
    static String perSecond(double rate) {
        return number(rate) + "/s";
    }

    static String number(double value) {
        return String.format(Locale.ROOT, value < 10 && value != Math.rint(value) ? "%.1f" : "%,.0f", value);
    }

    static String millis(double millis) {
        return String.format(Locale.ROOT, millis < 10 ? "%.2f ms" : millis < 100 ? "%.1f ms" : "%,.0f ms", millis);
    }

    static String seconds(double millis) {
        return String.format(Locale.ROOT, millis < 10 ? "%.5f s" : "%.4f s", millis / 1_000);
    }

    /** For example {@code 31 %}, of a share of 0 to 1. */
    static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f %%", share * 100);
    }

    /** For example {@code 0.30 %}, of a share of 0 to 1 that may be small. */
    static String finePercent(double share) {
        return String.format(Locale.ROOT, share < 0.1 ? "%.2f %%" : "%.0f %%", share * 100);
    }

    static String cores(double cores) {
        return String.format(Locale.ROOT, "%.2f cores", cores);
    }
}
