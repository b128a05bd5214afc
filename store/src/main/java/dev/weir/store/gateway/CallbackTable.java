package dev.weir.store.gateway;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/** Callbacks that have not been confirmed, in PostgreSQL. Each call is a transaction of its own. */
final class CallbackTable {

    /**
     * One to deliver.
     *
     * @param attempts this one included
     */
    record Due(
            UUID messageId,
            String client,
            String url,
            int attempts,
            String status,
            @Nullable String providerId,
            @Nullable String reason,
            Instant endedAt) {}

    private final JdbcTemplate jdbc;

    CallbackTable(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Takes callbacks that are due, the longest due first; no other instance takes them for the time of the lease.
     *
     * @param notOf clients to leave out
     */
    List<Due> claim(int most, Duration lease, Collection<String> notOf) {
        return jdbc.query(
                connection -> {
                    var statement = connection.prepareStatement(
                            "with due as (select message_id from message_callbacks where parked_at is null"
                                    + " and due_at <= now() and client <> all (?) order by due_at limit ?"
                                    + " for update skip locked),"
                                    + " taken as (update message_callbacks c set attempts = attempts + 1,"
                                    + " due_at = now() + ? * interval '1 millisecond' from due"
                                    + " where c.message_id = due.message_id returning c.*)"
                                    + " select t.message_id, t.client, t.url, t.attempts, m.status, m.provider_id,"
                                    + " m.reason, m.ended_at from taken t join messages m on m.id = t.message_id");
                    statement.setArray(1, connection.createArrayOf("text", notOf.toArray()));
                    statement.setInt(2, most);
                    statement.setLong(3, lease.toMillis());
                    return statement;
                },
                (row, number) -> new Due(
                        row.getObject("message_id", UUID.class),
                        row.getString("client"),
                        row.getString("url"),
                        row.getInt("attempts"),
                        row.getString("status"),
                        row.getString("provider_id"),
                        row.getString("reason"),
                        row.getObject("ended_at", OffsetDateTime.class).toInstant()));
    }

    /** These were confirmed. */
    void delivered(List<UUID> messages) {
        jdbc.update(connection -> {
            var statement = connection.prepareStatement("delete from message_callbacks where message_id = any (?)");
            statement.setArray(1, connection.createArrayOf("uuid", messages.toArray()));
            return statement;
        });
    }

    /** This one failed and is to be tried again after a pause. */
    void retry(UUID message, Duration pause, String reason) {
        jdbc.update(
                "update message_callbacks set due_at = now() + ? * interval '1 millisecond', reason = ? where message_id = ?",
                pause.toMillis(),
                reason,
                message);
    }

    /** This one is given up until someone asks for it. */
    void park(UUID message, String reason) {
        jdbc.update("update message_callbacks set parked_at = now(), reason = ? where message_id = ?", reason, message);
    }

    /** Takes a parked callback up again; false where it is not parked. */
    boolean unpark(UUID message, String client) {
        return jdbc.update(
                        "update message_callbacks set parked_at = null, attempts = 0, due_at = now()"
                                + " where message_id = ? and client = ? and parked_at is not null",
                        message,
                        client)
                == 1;
    }

    /** How many are parked. */
    long parked() {
        Long count =
                jdbc.queryForObject("select count(*) from message_callbacks where parked_at is not null", Long.class);
        return count == null ? 0 : count;
    }
}
