package dev.weir.core.outbox;

import dev.weir.core.publish.Event;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What an operator does with parked events: look, replay, discard. Each call is a transaction of its own. */
public final class ParkedEvents {
    private final String table;
    private final DataSource database;

    /** Of this outbox, in this database. */
    public ParkedEvents(OutboxConfig config, DataSource database) {
        this.table = config.table();
        this.database = database;
    }

    /**
     * An event set aside.
     *
     * @param event with its id
     * @param attempts how often it was tried
     * @param reason why it failed the last time
     * @param parkedAt when it was set aside
     */
    public record Parked(Event event, int attempts, String reason, Instant parkedAt) {}

    /**
     * An event set aside, without its content.
     *
     * @param key as text where it is text, otherwise null
     * @param bytes size of its content
     * @param attempts how often it was tried
     * @param reason why it failed the last time
     * @param parkedAt when it was set aside
     */
    public record Summary(
            UUID id, String topic, @Nullable String key, int bytes, int attempts, String reason, Instant parkedAt) {}

    /** How many there are. */
    public long count() throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement("SELECT count(*) FROM " + table + "_parked");
                ResultSet rows = statement.executeQuery()) {
            return rows.next() ? rows.getLong(1) : 0;
        }
    }

    /** The oldest ones without their contents, so that many take little memory. */
    public List<Summary> summaries(int most) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(
                        "SELECT event_id, topic, key, octet_length(payload), attempts, reason, parked_at FROM " + table
                                + "_parked ORDER BY id LIMIT ?")) {
            statement.setInt(1, most);
            List<Summary> parked = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    parked.add(new Summary(
                            rows.getObject(1, UUID.class),
                            rows.getString(2),
                            text(rows.getBytes(3)),
                            rows.getInt(4),
                            rows.getInt(5),
                            rows.getString(6),
                            rows.getObject(7, OffsetDateTime.class).toInstant()));
                }
            }
            return parked;
        }
    }

    private static @Nullable String text(byte @Nullable [] key) {
        try {
            return key == null
                    ? null
                    : StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(key))
                            .toString();
        } catch (CharacterCodingException binary) {
            return null;
        }
    }

    /** The oldest ones, with their contents: as much memory as they have bytes. */
    public List<Parked> list(int most) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(
                        "SELECT event_id, topic, key, payload, headers, attempts, reason, parked_at FROM " + table
                                + "_parked ORDER BY id LIMIT ?")) {
            statement.setInt(1, most);
            List<Parked> parked = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    parked.add(new Parked(
                            OutboxTable.event(rows, 1, 2),
                            rows.getInt(6),
                            rows.getString(7),
                            rows.getObject(8, OffsetDateTime.class).toInstant()));
                }
            }
            return parked;
        }
    }

    /** Puts events back to be delivered as new ones, behind what waits, with their old ids; answers how many there were. */
    public int replay(List<UUID> ids) throws SQLException {
        return update(
                "WITH again AS (DELETE FROM " + table + "_parked WHERE event_id = ANY (?) RETURNING *), ordered AS"
                        + " (SELECT * FROM again ORDER BY id) INSERT INTO " + table
                        + " (event_id, key_hash, topic, key, payload, headers)"
                        + " SELECT event_id, key_hash, topic, key, payload, headers FROM ordered",
                ids);
    }

    /** Deletes events for good; answers how many there were. */
    public int discard(List<UUID> ids) throws SQLException {
        return update("DELETE FROM " + table + "_parked WHERE event_id = ANY (?)", ids);
    }

    private int update(String sql, List<UUID> ids) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            boolean byItself = connection.getAutoCommit();
            statement.setArray(1, connection.createArrayOf("uuid", ids.toArray()));
            int count = statement.executeUpdate();
            if (!byItself) {
                connection.commit();
            }
            return count;
        }
    }
}
