package dev.weir.store.gateway;

import dev.weir.core.time.NanoClock;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

/** The gateway's messages in PostgreSQL; takes part in the caller's transaction, and needs one where it says so. */
final class MessageTable {

    /** Until the one that is tried again last may be sent. */
    private static final String DELAY_MILLIS =
            "coalesce(greatest(0, extract(epoch from max(w.due_at) - now()) * 1000), 0)::bigint";

    private static final String STORED =
            "select m.id, m.client, m.recipient, m.number, m.status, m.idempotency_key, m.fingerprint, m.provider_id,"
                    + " m.reason, m.accepted_at, m.ended_at, m.callback_url, c.message_id as callback, c.parked_at,"
                    + " l.before, l.delay_millis from messages m left join message_callbacks c on c.message_id = m.id"
                    + " cross join lateral (select count(*) - 1 as before, " + DELAY_MILLIS + " as delay_millis"
                    + " from messages w where m.status = 'QUEUED' and w.status = 'QUEUED' and w.client = m.client"
                    + " and w.recipient = m.recipient and w.number <= m.number) l ";
    private static final int PURGED_AT_ONCE = 5_000;

    /** A client and one of its recipients. */
    record Lane(String client, String recipient) {}

    /** A client and its key. */
    record ClientKey(String client, String key) {}

    /** A message and its number in its client's line. */
    record Numbered(NewMessage message, long number) {}

    /**
     * What of a lane has not ended.
     *
     * @param waiting messages
     * @param delay until its last message that the provider failed on is tried again; zero where there is none
     */
    record Depth(int waiting, Duration delay) {

        static final Depth NONE = new Depth(0, Duration.ZERO);
    }

    /** A message that is tried again, and the time until then. */
    record Delay(UUID id, Duration time) {}

    /** How a message ended. */
    record Ending(
            UUID id,
            MessageStatus status,
            @Nullable String providerId,
            @Nullable String reason) {}

    /**
     * How a client stands.
     *
     * @param accepted messages it has ever handed in
     * @param ended of these
     */
    record Count(long accepted, long ended) {}

    private final JdbcTemplate jdbc;
    private final NanoClock clock;

    MessageTable(JdbcTemplate jdbc, NanoClock clock) {
        this.jdbc = jdbc;
        this.clock = clock;
    }

    /** The messages that were handed in under these keys before. */
    Map<ClientKey, StoredMessage> byKeys(Collection<ClientKey> keys) {
        Map<ClientKey, StoredMessage> found = new HashMap<>();
        if (keys.isEmpty()) {
            return found;
        }
        query(
                STORED + "where m.idempotency_key is not null"
                        + " and (m.client, m.idempotency_key) in (select * from unnest(?, ?))",
                connection ->
                        List.of(texts(connection, keys, ClientKey::client), texts(connection, keys, ClientKey::key)),
                rows -> found.put(
                        new ClientKey(rows.getString("client"), rows.getString("idempotency_key")), stored(rows)));
        return found;
    }

    /** How each of these lanes stands, where something waits in it; counted up to {@code most}. */
    Map<Lane, Depth> depths(Collection<Lane> lanes, int most) {
        Map<Lane, Depth> depths = new HashMap<>();
        query(
                "select l.client, l.recipient, d.waiting, d.delay_millis from unnest(?, ?) as l (client, recipient)"
                        + " cross join lateral (select count(*) as waiting, " + DELAY_MILLIS + " as delay_millis from"
                        + " (select m.due_at from messages m where m.client = l.client and m.recipient = l.recipient"
                        + " and m.status = 'QUEUED' limit ?) w) d where d.waiting > 0",
                connection -> List.of(
                        texts(connection, lanes, Lane::client), texts(connection, lanes, Lane::recipient), most),
                rows -> depths.put(
                        new Lane(rows.getString(1), rows.getString(2)),
                        new Depth(rows.getInt(3), Duration.ofMillis(rows.getLong(4)))));
        return depths;
    }

    /** Writes down when messages are tried again, for estimates. */
    void delay(List<Delay> delays) {
        query(
                "with due as (update messages m set due_at = now() + d.millis * interval '1 millisecond'"
                        + " from unnest(?, ?) as d (id, millis) where m.id = d.id and m.status = 'QUEUED' returning m.id)"
                        + " select count(*) from due",
                connection -> List.of(
                        connection.createArrayOf(
                                "uuid", delays.stream().map(Delay::id).toArray()),
                        connection.createArrayOf(
                                "bigint",
                                delays.stream()
                                        .map(delay -> delay.time().toMillis())
                                        .toArray())),
                rows -> {});
    }

    /**
     * Takes this many numbers for each client; answers how each stands then, and so the last of its numbers. Other instances wait for the
     * transaction's end.
     */
    Map<String, Count> takeNumbers(SortedMap<String, Long> byClient) {
        Map<String, Count> counts = new HashMap<>();
        add(
                "messages_accepted",
                "coalesce((select e.count from messages_ended_count e where e.client = t.client), 0)",
                byClient,
                rows -> counts.put(rows.getString(1), new Count(rows.getLong(2), rows.getLong(3))));
        return counts;
    }

    /** Counts this many messages of each client as ended; answers how many that are by now. */
    Map<String, Long> countEnded(SortedMap<String, Long> byClient) {
        Map<String, Long> counts = new HashMap<>();
        add("messages_ended_count", "0", byClient, rows -> counts.put(rows.getString(1), rows.getLong(2)));
        return counts;
    }

    /** In one order for all, so that no two instances wait for each other. */
    private void add(String table, String besides, SortedMap<String, Long> byClient, RowUse use) {
        query(
                "insert into " + table + " as t (client, count) select * from unnest(?, ?) order by 1"
                        + " on conflict (client) do update set count = t.count + excluded.count"
                        + " returning client, count, " + besides,
                connection -> List.of(
                        texts(connection, byClient.keySet(), client -> client),
                        connection.createArrayOf("bigint", byClient.values().toArray())),
                use);
    }

    /** Writes messages, save those whose key another transaction has used meanwhile; answers which were written. */
    Set<UUID> insert(List<Numbered> messages, Instant acceptedAt) {
        Set<UUID> inserted = new HashSet<>();
        query(
                "insert into messages (id, client, recipient, body, number, idempotency_key, fingerprint, callback_url,"
                        + " accepted_at) select *, ?::timestamptz from unnest(?, ?, ?, ?, ?, ?, ?, ?)"
                        + " on conflict (client, idempotency_key) where idempotency_key is not null"
                        + " do nothing returning id",
                connection -> List.of(
                        Timestamp.from(acceptedAt),
                        connection.createArrayOf(
                                "uuid",
                                messages.stream()
                                        .map(each -> each.message().id())
                                        .toArray()),
                        texts(connection, messages, each -> each.message().client()),
                        texts(connection, messages, each -> each.message().to()),
                        texts(connection, messages, each -> each.message().text()),
                        connection.createArrayOf(
                                "bigint",
                                messages.stream().map(Numbered::number).toArray()),
                        texts(connection, messages, each -> each.message().key()),
                        texts(
                                connection,
                                messages,
                                each -> each.message().key() == null
                                        ? null
                                        : each.message().fingerprint()),
                        texts(connection, messages, each -> each.message().callbackUrl())),
                rows -> inserted.add(rows.getObject(1, UUID.class)));
        return inserted;
    }

    /** Which of these messages have not ended. */
    Set<UUID> open(Collection<UUID> ids) {
        Set<UUID> open = new HashSet<>();
        query(
                "select id from messages where id = any (?) and status = 'QUEUED'",
                connection -> List.of(connection.createArrayOf("uuid", ids.toArray())),
                rows -> open.add(rows.getObject(1, UUID.class)));
        return open;
    }

    /**
     * Ends messages and enters their callbacks, in a transaction; one that had ended before stays as it is. Answers how many messages have ended of each
     * client by now.
     */
    Map<String, Long> end(List<Ending> endings) {
        SortedMap<String, Long> byClient = new TreeMap<>();
        query(
                "with ended as (update messages m set status = e.status, provider_id = e.provider_id, reason = e.reason,"
                        + " ended_at = now() from unnest(?, ?, ?, ?) as e (id, status, provider_id, reason)"
                        + " where m.id = e.id and m.status = 'QUEUED' returning m.id, m.client, m.callback_url),"
                        + " told as (insert into message_callbacks (message_id, client, url)"
                        + " select id, client, callback_url from ended where callback_url is not null"
                        + " on conflict do nothing) select client, count(*) from ended group by client",
                connection -> List.of(
                        connection.createArrayOf(
                                "uuid", endings.stream().map(Ending::id).toArray()),
                        texts(connection, endings, each -> each.status().name()),
                        texts(connection, endings, Ending::providerId),
                        texts(connection, endings, Ending::reason)),
                rows -> byClient.put(rows.getString(1), rows.getLong(2)));
        return byClient.isEmpty() ? Map.of() : countEnded(byClient);
    }

    /** The clients that have something waiting. */
    Map<String, Count> waiting() {
        Map<String, Count> counts = new HashMap<>();
        query(
                "select client, a.count, coalesce(e.count, 0) from messages_accepted a"
                        + " left join messages_ended_count e using (client) where a.count > coalesce(e.count, 0)",
                connection -> List.of(),
                rows -> counts.put(rows.getString(1), new Count(rows.getLong(2), rows.getLong(3))));
        return counts;
    }

    /** A message, by its id. */
    Optional<StoredMessage> find(UUID id) {
        List<StoredMessage> found = new ArrayList<>();
        query(STORED + "where m.id = ?", connection -> List.of(id), rows -> found.add(stored(rows)));
        return found.stream().findFirst();
    }

    /** Messages accepted before this long that have not ended, in the order of their ids, behind this one. */
    List<Outgoing> overdue(Duration age, UUID after, int most) {
        List<Outgoing> overdue = new ArrayList<>();
        query(
                "select id, client, recipient, body, number from messages where status = 'QUEUED'"
                        + " and accepted_at < now() - ? * interval '1 millisecond' and id > ? order by id limit ?",
                connection -> List.of(age.toMillis(), after, most),
                rows -> overdue.add(new Outgoing(
                        rows.getObject(1, UUID.class),
                        rows.getString(2),
                        rows.getString(3),
                        rows.getString(4),
                        rows.getLong(5))));
        return overdue;
    }

    /**
     * Removes messages that ended before this long and have no callback open, for about as long as is given. A parked callback goes with its
     * message and not before, since one without a row is one that was delivered.
     *
     * @return whether none are left
     */
    boolean purge(Duration age, Duration time) {
        long begin = clock.nanoTime();
        while (true) {
            int removed = jdbc.update(
                    "with old as (select m.id from messages m left join message_callbacks c on c.message_id = m.id"
                            + " where m.ended_at < now() - ? * interval '1 millisecond' and (c.message_id is null"
                            + " or c.parked_at < now() - ? * interval '1 millisecond') limit " + PURGED_AT_ONCE
                            + "), untold as (delete from message_callbacks c using old where c.message_id = old.id)"
                            + " delete from messages m using old where m.id = old.id",
                    age.toMillis(),
                    age.toMillis());
            if (removed < PURGED_AT_ONCE) {
                return true;
            }
            if (clock.nanoTime() - begin >= time.toNanos()) {
                return false;
            }
        }
    }

    /**
     * Forgets some clients all of whose messages have been removed, so that the next message of one is its number 1 again. None that another
     * transaction is at work for.
     *
     * @return whether none are left
     */
    boolean purgeClients() {
        int removed = jdbc.update("with gone as (delete from messages_accepted where client in (select a.client from"
                + " messages_accepted a join messages_ended_count e on e.client = a.client and e.count = a.count"
                + " where not exists (select 1 from messages m where m.client = a.client) limit " + PURGED_AT_ONCE
                + " for update of a skip locked) returning client)"
                + " delete from messages_ended_count e using gone where e.client = gone.client");
        return removed < PURGED_AT_ONCE;
    }

    private static StoredMessage stored(ResultSet row) throws SQLException {
        MessageStatus status = MessageStatus.valueOf(row.getString("status"));
        OffsetDateTime ended = row.getObject("ended_at", OffsetDateTime.class);
        return new StoredMessage(
                row.getObject("id", UUID.class),
                row.getString("client"),
                row.getString("recipient"),
                row.getLong("number"),
                status,
                row.getString("fingerprint"),
                row.getString("provider_id"),
                row.getString("reason"),
                row.getObject("accepted_at", OffsetDateTime.class).toInstant(),
                ended == null ? null : ended.toInstant(),
                callback(row, status),
                Math.max(0, row.getInt("before")),
                Duration.ofMillis(row.getLong("delay_millis")));
    }

    private static @Nullable CallbackState callback(ResultSet row, MessageStatus status) throws SQLException {
        if (row.getString("callback_url") == null) {
            return null;
        }
        if (status == MessageStatus.QUEUED) {
            return CallbackState.WAITING;
        }
        if (row.getObject("callback") == null) {
            return CallbackState.DELIVERED;
        }
        return row.getObject("parked_at") == null ? CallbackState.PENDING : CallbackState.PARKED;
    }

    private interface Arguments {
        List<?> of(Connection connection) throws SQLException;
    }

    private interface RowUse {
        void take(ResultSet row) throws SQLException;
    }

    private void query(String sql, Arguments arguments, RowUse use) {
        jdbc.execute((ConnectionCallback<@Nullable Void>) connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                int index = 1;
                for (Object argument : arguments.of(connection)) {
                    statement.setObject(index++, Objects.requireNonNull(argument));
                }
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        use.take(rows);
                    }
                }
            }
            return null;
        });
    }

    private static <T> Array texts(Connection connection, Collection<T> items, Function<T, @Nullable String> text)
            throws SQLException {
        return connection.createArrayOf("text", items.stream().map(text).toArray());
    }
}
