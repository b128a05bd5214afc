package dev.weir.lab.plan;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One header field of the requests, from the command line: sent as written.
 *
 * @param name a token of RFC 9110, section 5.6.2
 * @param value without control characters
 */
public record Header(String name, String value) {
    private static final Pattern FIELD = Pattern.compile("(?s)([^:]*):(.*)");
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    public Header {
        checkName(name);
        checkValue(name, value);
    }

    /**
     * Reads {@code Name: value}.
     *
     * @throws PlanException with one sentence, if it is not a header, or one that Weir has to set itself
     */
    public static Header parse(String field) {
        Matcher parts = FIELD.matcher(field);
        if (!parts.matches()) {
            throw new PlanException("'" + visible(field) + "' is not a header: write 'Name: value'");
        }
        return new Header(parts.group(1).strip(), parts.group(2).strip());
    }

    boolean isNamed(String other) {
        return name.equalsIgnoreCase(other);
    }

    static boolean isToken(String text) {
        return TOKEN.matcher(text).matches();
    }

    static void checkName(String name) {
        if (!isToken(name)) {
            throw new PlanException(
                    "'" + visible(name) + "' is not the name of a header: letters, digits and '-' are allowed");
        }
        if (name.equalsIgnoreCase("Content-Length") || name.equalsIgnoreCase("Transfer-Encoding")) {
            throw new PlanException("the header " + name + " is set by Weir, from the body: leave it out");
        }
        if (name.equalsIgnoreCase("Expect")) {
            throw new PlanException("the header Expect is not supported, as Weir sends the body at once: leave it out");
        }
    }

    static void checkValue(String name, String value) {
        if (value.chars().anyMatch(c -> Character.isISOControl(c) && c != '\t')) {
            throw new PlanException("the value of header " + name
                    + " holds a line break or another control character, which would end the header: leave it out");
        }
    }

    private static String visible(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }
}
