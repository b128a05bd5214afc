package dev.weir.store.gateway;

import dev.weir.store.gateway.CallbackSlots.Turn;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
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
            Turn turn,
            String url,
            int attempts,
            String status,
            @Nullable String providerId,
            @Nullable String reason,
            Instant endedAt) {

        String client() {
            return turn.client();
        }
    }

    private final JdbcTemplate jdbc;

    CallbackTable(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /** Clients and their servers that have callbacks to be made now or later, in an order of the database's, behind this one. */
    List<Turn> turns(Turn after, int most) {
        return jdbc.query(
                "with recursive turns as ((select client, origin from message_callbacks where parked_at is null"
                        + " and (client, origin) > (?, ?) order by client, origin limit 1)"
                        + " union all select n.client, n.origin from turns t cross join lateral (select c.client, c.origin"
                        + " from message_callbacks c where c.parked_at is null and (c.client, c.origin) > (t.client, t.origin)"
                        + " order by c.client, c.origin limit 1) n)"
                        + " select client, origin from turns limit ?",
                (row, number) -> new Turn(row.getString(1), row.getString(2)),
                after.client(),
                after.origin(),
                most);
    }

    /**
     * Takes callbacks that are due, of each turn the longest due first; no other instance takes them for the time of the lease.
     *
     * @param most of each turn
     */
    List<Due> claim(Map<Turn, Integer> most, Duration lease) {
        return jdbc.query(
                connection -> {
                    var statement = connection.prepareStatement(
                            "with wanted as (select * from unnest(?, ?, ?) as w (client, origin, most)),"
                                    + " due as (select d.message_id from wanted w cross join lateral"
                                    + " (select c.message_id from message_callbacks c where c.client = w.client"
                                    + " and c.origin = w.origin and c.parked_at is null and c.due_at <= now()"
                                    + " order by c.due_at limit w.most for update skip locked) d),"
                                    + " taken as (update message_callbacks c set attempts = attempts + 1,"
                                    + " due_at = now() + ? * interval '1 millisecond' from due"
                                    + " where c.message_id = due.message_id returning c.*)"
                                    + " select t.message_id, t.client, t.origin, t.url, t.attempts, m.status, m.provider_id,"
                                    + " m.reason, m.ended_at from taken t join messages m on m.id = t.message_id");
                    List<Turn> turns = List.copyOf(most.keySet());
                    statement.setArray(
                            1,
                            connection.createArrayOf(
                                    "text", turns.stream().map(Turn::client).toArray()));
                    statement.setArray(
                            2,
                            connection.createArrayOf(
                                    "text", turns.stream().map(Turn::origin).toArray()));
                    statement.setArray(
                            3,
                            connection.createArrayOf(
                                    "integer", turns.stream().map(most::get).toArray()));
                    statement.setLong(4, lease.toMillis());
                    return statement;
                },
                (row, number) -> new Due(
                        row.getObject("message_id", UUID.class),
                        new Turn(row.getString("client"), row.getString("origin")),
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
