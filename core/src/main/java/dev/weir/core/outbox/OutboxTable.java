package dev.weir.core.outbox;

import dev.weir.core.publish.Event;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Reads and writes the outbox's rows for a relay.
 *
 * <p>Nothing is remembered between reads: each takes the lowest rows that are visible, and rows leave the table when their events have
 * arrived. So a transaction that commits late is read then, whatever was read before, and one that never commits holds nobody up.
 */
final class OutboxTable {
    private static final int FETCH_ROWS = 200;
    private static final double NANOS_PER_SECOND = 1e9;

    private final DataSource database;
    private final String read;
    private final String remove;
    private final String retry;
    private final String park;

    OutboxTable(OutboxConfig config, DataSource database) {
        this.database = database;
        String table = config.table();
        String lane = "(o.key_hash & " + (OutboxConfig.LANES - 1) + ")";
        String fence = " AND EXISTS (SELECT 1 FROM " + table + "_lease l WHERE l.lane = " + lane
                + " AND l.owner = ? AND l.token = ?)";
        read = "SELECT o.id, o.event_id, o.key_hash, o.topic, o.key, o.payload, o.headers, o.attempts,"
                + " date_part('epoch', now() - o.created_at) FROM " + table
                + " o WHERE " + lane + " = ANY (?) AND (o.retry_at IS NULL OR o.retry_at <= now())"
                + " AND NOT EXISTS (SELECT 1 FROM " + table
                + " b WHERE b.retry_at > now() AND b.key_hash = o.key_hash AND b.id < o.id) AND o.key_hash <> ALL (?)"
                + " ORDER BY o.id LIMIT ?";
        remove = "DELETE FROM " + table + " WHERE id = ANY (?)";
        retry = "UPDATE " + table
                + " o SET attempts = o.attempts + 1, retry_at = now() + ? * interval '1 millisecond', reason = ? WHERE o.id = ?"
                + fence;
        park = "WITH gone AS (DELETE FROM " + table + " o WHERE o.id = ?" + fence + " RETURNING o.*) INSERT INTO "
                + table
                + "_parked (id, event_id, key_hash, topic, key, payload, headers, attempts, reason, created_at)"
                + " SELECT id, event_id, key_hash, topic, key, payload, headers, attempts + 1, ?, created_at FROM gone";
    }

    /**
     * What was read.
     *
     * @param events in the order of their rows
     * @param oldestAge how long ago the first of them was added, by the database's clock; zero without any
     */
    record Rows(List<StoredEvent> events, Duration oldestAge) {}

    /**
     * The lowest rows of these parts of the keys that may be tried now.
     *
     * @param busy hashes of keys that are left out
     */
    Rows read(Collection<Integer> lanes, Collection<Integer> busy, int most, long mostBytes) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement statement = connection.prepareStatement(read)) {
                statement.setFetchSize(FETCH_ROWS);
                statement.setArray(1, connection.createArrayOf("integer", lanes.toArray()));
                statement.setArray(2, connection.createArrayOf("integer", busy.toArray()));
                statement.setInt(3, most);
                try (ResultSet rows = statement.executeQuery()) {
                    return read(rows, mostBytes);
                }
            } finally {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        }
    }

    private static Rows read(ResultSet rows, long mostBytes) throws SQLException {
        List<StoredEvent> events = new ArrayList<>();
        Duration oldestAge = Duration.ZERO;
        long bytes = 0;
        while (bytes < mostBytes && rows.next()) {
            if (events.isEmpty()) {
                oldestAge = Duration.ofNanos(Math.max(0, Math.round(rows.getDouble(9) * NANOS_PER_SECOND)));
            }
            StoredEvent event = event(rows);
            bytes += event.event().sizeBytes();
            events.add(event);
        }
        return new Rows(events, oldestAge);
    }

    private static StoredEvent event(ResultSet rows) throws SQLException {
        return new StoredEvent(rows.getLong(1), rows.getInt(3), rows.getInt(8), event(rows, 2, 4));
    }

    /** An event from its id, and topic, key, payload and headers from there on. */
    static Event event(ResultSet rows, int idColumn, int from) throws SQLException {
        return Event.restored(
                rows.getString(from),
                rows.getBytes(from + 1),
                rows.getBytes(from + 2),
                HeaderBytes.decode(rows.getBytes(from + 3)),
                rows.getObject(idColumn, UUID.class));
    }

    /** Writes what became of a batch; what is about an event that another instance owns by now is left out. */
    void apply(Verdict verdict, Leases leases, Map<Integer, Long> tokens, Pauses pauses, double random)
            throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(true);
            remove(connection, verdict.arrived());
            for (Verdict.Failure failure : verdict.retried()) {
                retry(connection, failure, leases.instance(), tokens, pauses, random);
            }
            for (Verdict.Failure failure : verdict.parked()) {
                park(connection, failure, leases.instance(), tokens);
            }
        }
    }

    /** Not fenced: what has arrived has arrived, whoever delivered it. */
    private void remove(Connection connection, List<Long> rows) throws SQLException {
        if (rows.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(remove)) {
            statement.setArray(1, connection.createArrayOf("bigint", rows.toArray()));
            statement.executeUpdate();
        }
    }

    private void retry(
            Connection connection,
            Verdict.Failure failure,
            UUID owner,
            Map<Integer, Long> tokens,
            Pauses pauses,
            double random)
            throws SQLException {
        StoredEvent event = failure.event();
        try (PreparedStatement statement = connection.prepareStatement(retry)) {
            statement.setLong(1, pauses.after(event.attempts() + 1, random).toMillis());
            statement.setString(2, failure.reason());
            statement.setLong(3, event.row());
            statement.setObject(4, owner);
            statement.setLong(5, token(event, tokens));
            statement.executeUpdate();
        }
    }

    private void park(Connection connection, Verdict.Failure failure, UUID owner, Map<Integer, Long> tokens)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(park)) {
            statement.setLong(1, failure.event().row());
            statement.setObject(2, owner);
            statement.setLong(3, token(failure.event(), tokens));
            statement.setString(4, failure.reason());
            statement.executeUpdate();
        }
    }

    private static long token(StoredEvent event, Map<Integer, Long> tokens) {
        return tokens.getOrDefault(OutboxConfig.lane(event.keyHash()), -1L);
    }
}
