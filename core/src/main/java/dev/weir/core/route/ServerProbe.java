package dev.weir.core.route;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks one server for its role and position, again and again, on one daemon thread and one connection of its own. A reader
 * that waits can {@link #demand} an answer sooner; demands of many readers share one question.
 *
 * <p>The thread is a platform thread: under virtual threads that keep all carriers busy, the answers that decide about the
 * health of replicas must not come late.
 */
final class ServerProbe implements AutoCloseable {

    /** Told on the probe's thread what was learnt. */
    interface Listener {

        /**
         * The server told its position: the one written for a primary, the one replayed for a standby.
         *
         * @param restarted whether the server is another one than in the answer before, or was started anew
         */
        void answered(long lsn, boolean standby, boolean restarted);

        void failed(Exception cause);
    }

    private static final Logger log = LoggerFactory.getLogger(ServerProbe.class);
    private static final long LEAST_GAP_NANOS = Duration.ofMillis(1).toNanos();
    private static final String POSITION = "SELECT pg_is_in_recovery(), CASE WHEN pg_is_in_recovery()"
            + " THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END";
    private static final String IDENTITY =
            "SELECT pg_postmaster_start_time()::text || coalesce(inet_server_addr()::text, '')"
                    + " || coalesce(inet_server_port()::text, '')";

    private final PooledServer server;
    private final Listener listener;
    private final long intervalNanos;
    private final int timeoutMillis;
    private final Thread thread;
    private volatile boolean closed;
    private volatile boolean demanded;
    private @Nullable Connection connection;
    private String identity = "";
    private final boolean standbyExpected;
    private @Nullable Boolean wasStandby;

    /**
     * Asks nothing before {@link #start}.
     *
     * @param standbyExpected the role the server should have; while it has the other one, each question connects anew, since
     *     its address may lead elsewhere by then
     */
    ServerProbe(PooledServer server, boolean standbyExpected, RouteConfig config, Listener listener) {
        this.server = server;
        this.standbyExpected = standbyExpected;
        this.listener = listener;
        this.intervalNanos = config.sampleInterval().toNanos();
        this.timeoutMillis = Math.toIntExact(config.sampleTimeout().toMillis());
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

    /** Stops asking after the question at work; returns at once. */
    void stop() {
        closed = true;
        LockSupport.unpark(thread);
    }

    /** Stops asking and waits for the thread's end, no longer than a question may take. */
    @Override
    public void close() {
        stop();
        try {
            thread.join(Duration.ofMillis(2L * timeoutMillis));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (!closed) {
            demanded = false;
            try {
                askOrTell();
            } catch (RuntimeException e) {
                // The thread must not end: what it knows would stay as it is for ever.
                log.warn("weir.route: what {} answered could not be used", server.name(), e);
            }
            pause();
        }
        disconnect();
    }

    private void askOrTell() {
        try {
            ask();
        } catch (SQLException | RuntimeException e) {
            disconnect();
            if (!closed) {
                log.debug("{} did not tell its position", server.name(), e);
                listener.failed(e);
            }
        }
    }

    private void pause() {
        LockSupport.parkNanos(LEAST_GAP_NANOS);
        long start = System.nanoTime();
        while (!closed && !demanded && System.nanoTime() - start < intervalNanos) {
            LockSupport.parkNanos(intervalNanos - (System.nanoTime() - start));
        }
    }

    private void ask() throws SQLException {
        boolean restarted = connection == null && reconnect();
        try (Statement statement = connected().createStatement();
                ResultSet row = statement.executeQuery(POSITION)) {
            row.next();
            boolean standby = row.getBoolean(1);
            String lsn = row.getString(2);
            boolean changed = wasStandby != null && wasStandby != standby;
            wasStandby = standby;
            listener.answered(lsn == null ? Lsn.NONE : Lsn.parse(lsn), standby, restarted || changed);
        }
        if (wasStandby != standbyExpected) {
            disconnect();
        }
    }

    private Connection connected() throws SQLException {
        Connection open = connection;
        if (open == null) {
            throw new SQLException("no connection");
        }
        return open;
    }

    /** Whether the server behind the address is another one than before. */
    private boolean reconnect() throws SQLException {
        connection = server.connect(timeoutMillis);
        try (Statement statement = connected().createStatement();
                ResultSet row = statement.executeQuery(IDENTITY)) {
            row.next();
            String now = row.getString(1);
            boolean other = !identity.isEmpty() && !identity.equals(now);
            identity = now;
            return other;
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
