package dev.weir.lab.load;

import java.util.Locale;

/** Figures as a reader takes them in: three significant digits and the unit that keeps them small. */
final class Words {

    /** A time, for example {@code 3.1 ms}, {@code 850 us} or {@code 2.5 s}. */
    static String time(double millis) {
        if (millis >= 60_000) {
            return digits(millis / 60_000) + " min";
        }
        if (millis >= 1_000) {
            return digits(millis / 1_000) + " s";
        }
        return millis >= 1 || millis == 0 ? digits(millis) + " ms" : digits(millis * 1_000) + " us";
    }

    /** A rate a second, for example {@code 9,998} or {@code 12.5}. */
    static String rate(double perSecond) {
        return perSecond >= 100 ? String.format(Locale.ROOT, "%,.0f", perSecond) : digits(perSecond);
    }

    static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /** A share of 0 to 1 as percent, for example {@code 0.012%}. */
    static String percent(double share) {
        return digits(share * 100) + "%";
    }

    static String bytes(double bytes) {
        String[] units = {"B", "KB", "MB", "GB", "TB"};
        int unit = 0;
        double left = bytes;
        while (left >= 1_024 && unit < units.length - 1) {
            left /= 1_024;
            unit++;
        }
        return digits(left) + " " + units[unit];
    }

    private static String digits(double value) {
        int decimals = value >= 100 ? 0 : value >= 10 ? 1 : 2;
        String text = value != 0 && value < 0.01
                ? String.format(Locale.ROOT, "%.2g", value)
                : String.format(Locale.ROOT, "%,." + decimals + "f", value);
        return text.contains(".") && !text.contains("e") ? text.replaceFirst("\\.?0+$", "") : text;
    }

    private Words() {}
}
