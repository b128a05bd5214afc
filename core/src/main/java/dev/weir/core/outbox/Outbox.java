package dev.weir.core.outbox;

import dev.weir.core.publish.Event;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Writes events into a table, in the caller's transaction: they are delivered if and only if it commits. Any thread may use it, with its
 * own connection.
 *
 * <p>Add events as the last thing before the commit. Locks that the transaction holds by then put it before all that wait for them,
 * which makes the order of rows the order of commits per key; and the fewer moments between adding and committing, the better.
 */
public final class Outbox {
    private final OutboxConfig config;
    private final CurrentTransaction current;
    private final int maxEventBytes;
    private final String insert;
    private final List<Runnable> wakes = new CopyOnWriteArrayList<>();
    private final Runnable committed = this::committed;

    /** For the tables of this configuration, which must be there. Events are added by connection. */
    public Outbox(OutboxConfig config) {
        this(config, CurrentTransaction.unknown(), Integer.MAX_VALUE);
    }

    /**
     * One that events can also be added to without a connection.
     *
     * @param current finds the calling thread's transaction
     * @param maxEventBytes larger events are refused at the call; what the target takes
     */
    public Outbox(OutboxConfig config, CurrentTransaction current, int maxEventBytes) {
        this.config = config;
        this.current = current;
        this.maxEventBytes = maxEventBytes;
        this.insert = "INSERT INTO " + config.table()
                + " (event_id, key_hash, topic, key, payload, headers) VALUES (?, ?, ?, ?, ?, ?)";
    }

    /**
     * Adds an event in the calling thread's transaction; answers its id. After the commit the relays of this process are told by
     * themselves.
     *
     * @throws IllegalStateException if the thread is in no transaction that this outbox knows; nothing was written
     * @throws IllegalArgumentException if the event is larger than the target takes; nothing was written
     * @throws OutboxException if it cannot be written; the transaction is to be rolled back then
     */
    public UUID add(Event event) {
        return add(List.of(given(event))).getFirst();
    }

    private static Event given(Event event) {
        return Objects.requireNonNull(event, "There is no event; null was given.");
    }

    /** As {@link #add(Event)}, in their order, with one round trip; answers their ids. */
    public List<UUID> add(List<Event> events) {
        try {
            List<UUID> ids = current.with(transaction -> add(transaction, events));
            current.afterCommit(committed);
            return ids;
        } catch (SQLException failed) {
            throw new OutboxException(config.table(), failed);
        }
    }

    /**
     * Adds an event; answers its id.
     *
     * @throws IllegalArgumentException if the event is larger than the target takes; nothing was written
     * @throws SQLException if it cannot be written, or the connection commits by itself; the transaction is to be rolled back then
     */
    public UUID add(Connection transaction, Event event) throws SQLException {
        return add(transaction, List.of(given(event))).getFirst();
    }

    /** Adds events in their order, with one round trip; answers their ids. */
    public List<UUID> add(Connection transaction, List<Event> events) throws SQLException {
        if (transaction.getAutoCommit()) {
            throw new SQLException(
                    "The outbox was given a connection that commits by itself: the event would not belong to"
                            + " your transaction. Call setAutoCommit(false), or begin a transaction.");
        }
        events.forEach(this::requireSmall);
        List<Event> identified = events.stream().map(Outbox::identified).toList();
        if (config.keyLock()) {
            lockKeys(transaction, identified);
        }
        try (PreparedStatement statement = transaction.prepareStatement(insert)) {
            for (Event event : identified) {
                set(statement, event);
                statement.addBatch();
            }
            statement.executeBatch();
        }
        return identified.stream().map(Outbox::idOf).toList();
    }

    private void requireSmall(Event event) {
        if (event.sizeBytes() > maxEventBytes) {
            throw new IllegalArgumentException(
                    "The event for " + event.topic() + " has " + event.sizeBytes()
                            + " bytes; allowed are " + maxEventBytes
                            + ". Raise max-event-bytes and what the target takes, or put the content elsewhere and send where it is.");
        }
    }

    private static Event identified(Event event) {
        return event.id() == null ? event.withId(randomId()) : event;
    }

    /** Unique beyond doubt, not secret: a random UUID without the cost of a secure generator. */
    private static UUID randomId() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        long most = (random.nextLong() & ~0xF000L) | 0x4000L;
        long least = (random.nextLong() >>> 2) | 0x8000_0000_0000_0000L;
        return new UUID(most, least);
    }

    private static UUID idOf(Event event) {
        UUID id = event.id();
        if (id == null) {
            throw new IllegalStateException("An event without an id.");
        }
        return id;
    }

    private static void set(PreparedStatement statement, Event event) throws SQLException {
        statement.setObject(1, idOf(event));
        statement.setInt(2, keyHash(event));
        statement.setString(3, event.topic());
        setBytes(statement, 4, event.key());
        statement.setBytes(5, event.value());
        setBytes(statement, 6, HeaderBytes.encode(event.headers()));
    }

    private static void setBytes(PreparedStatement statement, int index, byte @Nullable [] bytes) throws SQLException {
        if (bytes == null) {
            statement.setNull(index, Types.BINARY);
        } else {
            statement.setBytes(index, bytes);
        }
    }

    /** Equal keys of a topic have equal hashes, which is all the order needs; others may share one, which only makes them wait. */
    static int keyHash(Event event) {
        byte[] key = event.key();
        return key == null
                ? idOf(event).hashCode()
                : mix(31 * Arrays.hashCode(event.topic().getBytes(StandardCharsets.UTF_8)) + Arrays.hashCode(key));
    }

    /** The finaliser of MurmurHash3 (Appleby), so that the lowest bits, which choose the lane, depend on all. */
    private static int mix(int hash) {
        int mixed = hash;
        mixed ^= mixed >>> 16;
        mixed *= 0x85ebca6b;
        mixed ^= mixed >>> 13;
        mixed *= 0xc2b2ae35;
        return mixed ^ (mixed >>> 16);
    }

    /** In the order of the hashes, so that two transactions cannot wait for each other here. */
    private void lockKeys(Connection transaction, List<Event> events) throws SQLException {
        int[] hashes = events.stream()
                .filter(event -> event.key() != null)
                .mapToInt(Outbox::keyHash)
                .sorted()
                .distinct()
                .toArray();
        try (PreparedStatement statement = transaction.prepareStatement("SELECT pg_advisory_xact_lock(?, ?)")) {
            for (int hash : hashes) {
                statement.setInt(1, config.table().hashCode());
                statement.setInt(2, hash);
                statement.execute();
            }
        }
    }

    /** Tells the relays of this process that a transaction with events has committed. Cheap; never blocks. */
    public void committed() {
        wakes.forEach(Runnable::run);
    }

    void onCommit(Runnable wake) {
        wakes.add(wake);
    }

    void forget(Runnable wake) {
        wakes.remove(wake);
    }
}
