package dev.weir.core.watch;

import java.util.regex.Pattern;

/** What a statement, a type or an address is called in the log, without what may be personal or differ each time. */
final class Fingerprint {

    private static final int LONGEST = 300;

    /** Texts with their doubled quotes, numbers that are no part of a name, and runs of white space. */
    private static final Pattern TEXT = Pattern.compile("'(?:[^']|'')*'");

    private static final Pattern NUMBER = Pattern.compile("(?<![\\w$])\\d[\\w.]*");
    private static final Pattern BLANK = Pattern.compile("\\s+");

    private Fingerprint() {}

    /** One line of at most 300 characters. */
    static String of(Object what) {
        if (what instanceof Class<?> type) {
            return type.getName();
        }
        String text = what.toString();
        String line = BLANK.matcher(text).replaceAll(" ").strip();
        return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "...";
    }

    /** A statement without its values: what stands in quotes, and numbers, are question marks. */
    static String ofSql(String sql) {
        // Of a statement of a megabyte only the beginning is looked at, and it says which one it is.
        String head = sql.length() <= LONGEST * 4 ? sql : sql.substring(0, LONGEST * 4);
        return of(NUMBER.matcher(TEXT.matcher(head).replaceAll("?")).replaceAll("?"));
    }
}
