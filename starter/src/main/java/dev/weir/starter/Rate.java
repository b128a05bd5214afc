package dev.weir.starter;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many a second; written {@code 500/s}, {@code 10k/s} or {@code 1.5M/s} in the configuration.
 *
 * @param perSecond above 0 and finite
 */
public record Rate(double perSecond) {

    static final String ALLOWED = "a number above 0 a second, such as 500/s, 10k/s or 1.5M/s";

    private static final Pattern FORM = Pattern.compile("(\\d{1,12}(?:\\.\\d{1,6})?)([kM]?)/s");

    public Rate {
        if (!(perSecond > 0) || Double.isInfinite(perSecond)) {
            throw new IllegalArgumentException("The rate is " + perSecond + "/s: it must be " + ALLOWED + ".");
        }
    }

    /**
     * The rate that the text names; Spring's conversion finds this method by its name.
     *
     * @throws IllegalArgumentException with one sentence when it names none
     */
    public static Rate of(String text) {
        Matcher form = FORM.matcher(text.strip());
        if (!form.matches()) {
            throw new IllegalArgumentException("The rate is '" + text + "': it must be " + ALLOWED + ".");
        }
        return new Rate(Double.parseDouble(form.group(1)) * factor(form.group(2)));
    }

    private static double factor(String unit) {
        return switch (unit) {
            case "k" -> 1e3;
            case "M" -> 1e6;
            default -> 1;
        };
    }

    @Override
    public String toString() {
        long whole = Math.round(perSecond);
        return (whole == perSecond ? Long.toString(whole) : Double.toString(perSecond)) + "/s";
    }
}
