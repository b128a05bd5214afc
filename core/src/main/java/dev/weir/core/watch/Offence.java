package dev.weir.core.watch;

import java.util.Locale;

/** What a request is logged for. */
public enum Offence {
    /** The whole request took longer than its threshold. */
    REQUEST,
    /** One call of another service did. */
    REMOTE,
    /** One command to Redis did. */
    REDIS,
    /** One statement, or the fetching of its rows, did. */
    SQL,
    /** One statement was executed too often: N+1. */
    SAME_QUERY,
    /** Too many beans were made for this request alone. */
    BEANS,
    /** Too many exceptions were seen. */
    EXCEPTIONS,
    /** Too many threads were made. */
    THREADS,
    /** Too much was logged. */
    LOG;

    private static final Offence[] ALL = values();

    private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** The name in metrics and log lines: {@code same-query}. */
    public String label() {
        return label;
    }

    /** Its place in an array of all. */
    @SuppressWarnings("EnumOrdinal")
    int index() {
        return ordinal();
    }

    static Offence[] all() {
        return ALL;
    }
}
