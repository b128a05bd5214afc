package dev.weir.core.outbox;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;

/**
 * Lets a consumer do its work once per event although events may be repeated: their ids are kept in a table, written in the transaction
 * of the work itself, so both happen or neither. Any thread may use it, with its own connection.
 */
public final class IdempotentHandler {
    /** Work of a consumer, in the transaction it is given. */
    @FunctionalInterface
    public interface Work {
        /** Does it. */
        void run(Connection transaction) throws SQLException;
    }

    private static final int PURGE_ROWS = 10_000;

    private final String table;
    private final String consumer;
    private final LongAdder duplicates = new LongAdder();

    /**
     * For one consumer.
     *
     * @param table of seen ids, made by {@link #schema}
     * @param consumer name of the consumer: each sees each event once
     */
    public IdempotentHandler(String table, String consumer) {
        if (!table.matches("[a-z_][a-z0-9_]{0,39}")) {
            throw new IllegalArgumentException("Idempotent handler: table is " + table
                    + "; allowed are 1 to 40 lower-case letters, digits or _. Change the table's name.");
        }
        this.table = table;
        this.consumer = consumer;
    }

    /** The statements that make the table where it is missing. */
    public static List<String> schema(String table) {
        return List.of(
                "CREATE TABLE IF NOT EXISTS %s (consumer text NOT NULL, event_id uuid NOT NULL, seen_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (consumer, event_id))"
                        .formatted(table),
                "CREATE INDEX IF NOT EXISTS %1$s_age ON %1$s (seen_at)".formatted(table));
    }

    /**
     * Does the work unless it was done for this event before; answers whether it did. Two at the same time for one event: the second
     * waits for the first one's end. The caller commits, or rolls back if this throws.
     */
    public boolean handle(Connection transaction, UUID eventId, Work work) throws SQLException {
        if (transaction.getAutoCommit()) {
            throw new SQLException(
                    "The handler was given a connection that commits by itself: the id would be kept although"
                            + " the work may fail. Call setAutoCommit(false), or begin a transaction.");
        }
        if (!isNew(transaction, eventId)) {
            duplicates.increment();
            return false;
        }
        work.run(transaction);
        return true;
    }

    private boolean isNew(Connection transaction, UUID eventId) throws SQLException {
        try (PreparedStatement statement = transaction.prepareStatement(
                "INSERT INTO " + table + " (consumer, event_id) VALUES (?, ?) ON CONFLICT DO NOTHING")) {
            statement.setString(1, consumer);
            statement.setObject(2, eventId);
            return statement.executeUpdate() == 1;
        }
    }

    /** Repetitions left out by this object. */
    public long duplicates() {
        return duplicates.sum();
    }

    /** Forgets ids older than this, at most 10,000 at once; answers how many. Keep them longer than an event can be late. */
    public int purge(Connection connection, Duration olderThan) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("DELETE FROM " + table
                + " WHERE ctid IN (SELECT ctid FROM " + table
                + " WHERE seen_at < now() - ? * interval '1 millisecond' LIMIT " + PURGE_ROWS + ")")) {
            statement.setLong(1, olderThan.toMillis());
            return statement.executeUpdate();
        }
    }
}
