package dev.weir.core.route;

import dev.weir.core.time.NanoClock;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks one server for its role and position, again and again, on one daemon thread and one connection of its own. A reader
 * that waits can {@link #demand} an answer sooner; demands of many readers share one round.
 *
 * <p>A round is all that one answer takes: to connect where there is no connection, to ask who the server is, to ask where it
 * stands. It may last as long as the sample time-out, all of it together; {@link RouteConfig#longestStaleness} rests on that.
 *
 * <p>The thread is a platform thread: under virtual threads that keep all carriers busy, the answers that decide about the
 * health of replicas must not come late.
 */
final class ServerProbe implements AutoCloseable {

    /**
     * What a server told in one round.
     *
     * @param askedNanos when the question went out; what a primary had committed by then its positions cover
     * @param lsn the position written for a primary, the one replayed for a standby; {@link Lsn#NONE} when there is none yet
     * @param neededLsn what a replica must have replayed to show all that this primary had committed by then, flushed or not;
     *     {@link Lsn#NONE} for a standby
     * @param standby whether it is in recovery
     * @param restarted whether the server is another one than in the answer before, or was started anew
     * @param cluster the identifier that a primary and its standbys have in common; empty when the server does not tell
     */
    record Answer(long askedNanos, long lsn, long neededLsn, boolean standby, boolean restarted, String cluster) {}

    /** Told on the probe's thread what was learnt. */
    interface Listener {

        void answered(Answer answer);

        void failed(Exception cause);
    }

    private static final Logger log = LoggerFactory.getLogger(ServerProbe.class);
    private static final long LEAST_GAP_NANOS = Duration.ofMillis(1).toNanos();
    private static final String POSITION = "SELECT pg_is_in_recovery(), CASE WHEN pg_is_in_recovery()"
            + " THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END,"
            + " CASE WHEN NOT pg_is_in_recovery() THEN pg_current_wal_insert_lsn() END,"
            + " current_setting('wal_block_size')::int";
    private static final String IDENTITY =
            "SELECT pg_postmaster_start_time()::text || coalesce(inet_server_addr()::text, '')"
                    + " || coalesce(inet_server_port()::text, '')";
    private static final String CLUSTER = "SELECT system_identifier::text FROM pg_control_system()";

    /** SQLSTATEs of a server that keeps its identifier to itself: no privilege, no such function. */
    private static final String NO_PRIVILEGE = "42501";

    private static final String NO_FUNCTION = "42883";

    private final PooledServer server;
    private final Listener listener;
    private final NanoClock clock;
    private final long intervalNanos;
    private final long timeoutNanos;
    private final Thread thread;
    private volatile boolean closed;
    private volatile boolean demanded;
    private @Nullable Connection connection;
    private String identity = "";
    private String cluster = "";
    private final boolean standbyExpected;
    private @Nullable Boolean wasStandby;

    /**
     * Asks nothing before {@link #start}.
     *
     * @param standbyExpected the role the server should have; while it has the other one, each round connects anew, since
     *     its address may lead elsewhere by then
     */
    ServerProbe(PooledServer server, boolean standbyExpected, RouteConfig config, NanoClock clock, Listener listener) {
        this.server = server;
        this.standbyExpected = standbyExpected;
        this.clock = clock;
        this.listener = listener;
        this.intervalNanos = config.sampleInterval().toNanos();
        this.timeoutNanos = config.sampleTimeout().toNanos();
        this.thread =
                Thread.ofPlatform().daemon().name("weir-route-" + server.name()).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Asks the server soon, at most once a millisecond; returns at once. */
    void demand() {
        demanded = true;
        LockSupport.unpark(thread);
    }

    /** Stops asking after the round at work; returns at once. */
    void stop() {
        closed = true;
        LockSupport.unpark(thread);
    }

    /** Stops asking and waits for the thread's end, which comes with that of a round. */
    @Override
    public void close() {
        stop();
        try {
            thread.join(Duration.ofNanos(2 * timeoutNanos));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (!closed) {
            demanded = false;
            try {
                round();
            } catch (RuntimeException e) {
                // The thread must not end: what it knows would stay as it is for ever.
                log.warn("weir.route: what {} answered could not be used", server.name(), e);
            }
            pause();
        }
        disconnect();
    }

    /** One round on the calling thread: asks the server once and tells the listener what came of it. */
    void round() {
        try {
            ask(clock.nanoTime() + timeoutNanos);
        } catch (SQLException | RuntimeException e) {
            if (!closed) {
                log.debug("{} did not tell its position", server.name(), e);
                listener.failed(e);
            }
            disconnect();
        }
    }

    private void pause() {
        long start = System.nanoTime();
        LockSupport.parkNanos(LEAST_GAP_NANOS);
        while (!closed && !demanded && System.nanoTime() - start < intervalNanos) {
            LockSupport.parkNanos(intervalNanos - (System.nanoTime() - start));
        }
    }

    private void ask(long deadlineNanos) throws SQLException {
        boolean restarted = connection == null && reconnect(deadlineNanos);
        long askedNanos = clock.nanoTime();
        Answer answer = answer(askedNanos, restarted, deadlineNanos);
        // A read that began in time may have ended late.
        leftMillis(deadlineNanos);
        wasStandby = answer.standby();
        listener.answered(answer);
        if (answer.standby() != standbyExpected) {
            disconnect();
        }
    }

    private Answer answer(long askedNanos, boolean restarted, long deadlineNanos) throws SQLException {
        try (Statement statement = connected(deadlineNanos).createStatement();
                ResultSet row = statement.executeQuery(POSITION)) {
            row.next();
            boolean standby = row.getBoolean(1);
            boolean changed = wasStandby != null && wasStandby != standby;
            String inserted = row.getString(3);
            return new Answer(
                    askedNanos,
                    position(row.getString(2)),
                    inserted == null ? Lsn.NONE : Lsn.neededAfterInsertAt(Lsn.parse(inserted), row.getLong(4)),
                    standby,
                    restarted || changed,
                    cluster);
        }
    }

    private static long position(@Nullable String lsn) {
        return lsn == null ? Lsn.NONE : Lsn.parse(lsn);
    }

    /** The connection, whose next answer may take what is left of the round. */
    private Connection connected(long deadlineNanos) throws SQLException {
        Connection open = connection;
        if (open == null) {
            throw new SQLException("no connection");
        }
        open.setNetworkTimeout(Runnable::run, leftMillis(deadlineNanos));
        return open;
    }

    /** What is left of the round, at least 1 ms, since 0 would mean for ever. */
    private int leftMillis(long deadlineNanos) throws SQLTimeoutException {
        long leftNanos = deadlineNanos - clock.nanoTime();
        if (leftNanos < 0) {
            throw new SQLTimeoutException("%s did not tell its position within %d ms (sample-timeout)."
                    .formatted(server.name(), TimeUnit.NANOSECONDS.toMillis(timeoutNanos)));
        }
        return Math.max(1, Math.toIntExact(TimeUnit.NANOSECONDS.toMillis(leftNanos)));
    }

    /** Whether the server behind the address is another one than before. */
    private boolean reconnect(long deadlineNanos) throws SQLException {
        connection = server.connect(leftMillis(deadlineNanos));
        String now = asked(IDENTITY, deadlineNanos);
        cluster = clusterOrNothing(deadlineNanos);
        boolean other = !identity.isEmpty() && !identity.equals(now);
        identity = now;
        return other;
    }

    private String asked(String question, long deadlineNanos) throws SQLException {
        try (Statement statement = connected(deadlineNanos).createStatement();
                ResultSet row = statement.executeQuery(question)) {
            row.next();
            return Objects.requireNonNullElse(row.getString(1), "");
        }
    }

    private String clusterOrNothing(long deadlineNanos) throws SQLException {
        try {
            return asked(CLUSTER, deadlineNanos);
        } catch (SQLException e) {
            if (NO_PRIVILEGE.equals(e.getSQLState()) || NO_FUNCTION.equals(e.getSQLState())) {
                log.debug("{} does not tell which cluster it belongs to", server.name(), e);
                return "";
            }
            throw e;
        }
    }

    private void disconnect() {
        Connection open = connection;
        connection = null;
        if (open != null) {
            try {
                open.close();
            } catch (SQLException alreadyGone) {
                log.trace("{}: closing a broken connection", server.name(), alreadyGone);
            }
        }
    }
}
