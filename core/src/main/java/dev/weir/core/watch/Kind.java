package dev.weir.core.watch;

import java.util.Locale;

/** What a request can wait for or be busy with, as far as a {@link Budget} tells it apart. */
public enum Kind {
    /** Waiting to be admitted, before any work. */
    ADMISSION,
    /** Waiting for a connection of a database pool. */
    POOL,
    /** Statements, with fetching their rows and ending their transactions. */
    SQL,
    /** Commands to Redis, with the time they wait in the client before they are sent. */
    REDIS,
    /** Calls of other services, up to the end of their answers. */
    REMOTE,
    /** Reading the request's body into objects, and writing the answer's out of them. */
    SERIALIZATION;

    private static final Kind[] ALL = values();

    private final String label = name().toLowerCase(Locale.ROOT);

    /** The name in metrics, log lines and headers: {@code sql}. */
    public String label() {
        return label;
    }

    /** Its place in an array of all. */
    @SuppressWarnings("EnumOrdinal")
    int index() {
        return ordinal();
    }

    static Kind[] all() {
        return ALL;
    }
}
