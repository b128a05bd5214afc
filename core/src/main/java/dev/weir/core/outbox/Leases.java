package dev.weir.core.outbox;

import dev.weir.core.time.NanoClock;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Which parts of the keys this instance owns, by rows in the database.
 *
 * <p>All times in the tables are the database's own, so no two clocks are compared. This instance counts its own time from before it
 * asked, and stops a fifth before the end; so while it believes to own a part, nobody else can. A part taken over gets a new token, and
 * what is written about an event checks owner and token, so an instance that was frozen and does not know it yet writes nothing. Used
 * by the relay's thread.
 */
final class Leases {
    private static final int SAFETY = 5;

    private final OutboxConfig config;
    private final DataSource database;
    private final NanoClock clock;
    private final UUID instance;
    private final Map<Integer, Long> tokens = new HashMap<>();
    private final Set<Integer> leaving = new HashSet<>();
    private long validUntilNanos;
    private long maintainAtNanos;
    private boolean started;

    Leases(OutboxConfig config, DataSource database, NanoClock clock, UUID instance) {
        this.config = config;
        this.database = database;
        this.clock = clock;
        this.instance = instance;
    }

    /** The fair part of one among so many instances. */
    static int share(int instances) {
        return (OutboxConfig.LANES + Math.max(1, instances) - 1) / Math.max(1, instances);
    }

    UUID instance() {
        return instance;
    }

    /** The parts owned now, with their tokens; none once the time is over. */
    Map<Integer, Long> owned() {
        return isValid() ? Map.copyOf(tokens) : Map.of();
    }

    /** Those of them whose events may be begun: not the ones that are to be given back as soon as nothing of them is under way. */
    Set<Integer> open() {
        Set<Integer> open = new HashSet<>(owned().keySet());
        open.removeAll(leaving);
        return open;
    }

    boolean isValid() {
        return started && clock.nanoTime() - validUntilNanos < 0;
    }

    /**
     * Every now and then: renews what is owned, takes what is free up to the fair part, gives back what is beyond it.
     *
     * @param busy parts of which something is under way, which are given back later
     */
    void maintain(Set<Integer> busy) throws SQLException {
        if (started && isValid() && clock.nanoTime() - maintainAtNanos < 0) {
            return;
        }
        long asked = clock.nanoTime();
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(true);
            renew(connection);
            int share = share(countMembers(connection));
            if (tokens.size() < share) {
                take(connection, share - tokens.size());
            }
            shrink(connection, tokens.size() - share, busy);
        }
        stamp(asked);
    }

    /** What is busy and to be given back gets nothing new, so that it will not be busy for ever. */
    private void shrink(Connection connection, int beyond, Set<Integer> busy) throws SQLException {
        List<Integer> free = tokens.keySet().stream()
                .filter(lane -> !busy.contains(lane))
                .limit(Math.max(0, beyond))
                .toList();
        if (!free.isEmpty()) {
            giveBack(connection, free);
        }
        leaving.clear();
        tokens.keySet().stream()
                .filter(busy::contains)
                .sorted()
                .limit(Math.max(0, beyond - free.size()))
                .forEach(leaving::add);
    }

    private void stamp(long asked) {
        long lease = config.leaseTime().toNanos();
        validUntilNanos = asked + lease - lease / SAFETY;
        maintainAtNanos = asked + lease / SAFETY;
        started = true;
    }

    Duration renewInterval() {
        return config.leaseTime().dividedBy(SAFETY);
    }

    private void renew(Connection connection) throws SQLException {
        update(
                connection,
                "INSERT INTO %s_member (instance, seen_until) VALUES (?, now() + ? * interval '1 millisecond')"
                        + " ON CONFLICT (instance) DO UPDATE SET seen_until = excluded.seen_until",
                instance,
                config.leaseTime().toMillis());
        tokens.clear();
        collect(
                connection,
                "UPDATE %s_lease SET expires_at = now() + ? * interval '1 millisecond'"
                        + " WHERE owner = ? AND expires_at > now() RETURNING lane, token",
                config.leaseTime().toMillis(),
                instance);
    }

    private int countMembers(Connection connection) throws SQLException {
        update(connection, "DELETE FROM %s_member WHERE seen_until < now() - interval '1 minute'");
        try (PreparedStatement statement = connection.prepareStatement(
                        "SELECT count(*) FROM %s_member WHERE seen_until > now()".formatted(config.table()));
                ResultSet rows = statement.executeQuery()) {
            return rows.next() ? rows.getInt(1) : 1;
        }
    }

    private void take(Connection connection, int count) throws SQLException {
        collect(
                connection,
                "UPDATE %1$s_lease SET owner = ?, token = token + 1, expires_at = now() + ? * interval '1 millisecond'"
                        + " WHERE lane IN (SELECT lane FROM %1$s_lease WHERE owner IS NULL OR expires_at <= now()"
                        + " ORDER BY lane LIMIT ? FOR UPDATE SKIP LOCKED) RETURNING lane, token",
                instance,
                config.leaseTime().toMillis(),
                count);
    }

    private void giveBack(Connection connection, List<Integer> lanes) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "UPDATE %s_lease SET owner = NULL, expires_at = NULL WHERE owner = ? AND lane = ANY (?)"
                        .formatted(config.table()))) {
            statement.setObject(1, instance);
            statement.setArray(2, connection.createArrayOf("integer", lanes.toArray()));
            statement.executeUpdate();
        }
        lanes.forEach(tokens::remove);
    }

    /** Gives back everything, so that others need not wait for the end of the leases. */
    void end() throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(true);
            giveBack(connection, new ArrayList<>(tokens.keySet()));
            update(connection, "DELETE FROM %s_member WHERE instance = ?", instance);
        }
    }

    private void update(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql.formatted(config.table()))) {
            bind(statement, values);
            statement.executeUpdate();
        }
    }

    private void collect(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql.formatted(config.table()))) {
            bind(statement, values);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    tokens.put(rows.getInt(1), rows.getLong(2));
                }
            }
        }
    }

    private static void bind(PreparedStatement statement, Object... values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
    }
}
