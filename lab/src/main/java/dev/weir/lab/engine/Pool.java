package dev.weir.lab.engine;

import dev.weir.lab.measure.FailureKind;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one engine thread, each in one of four lists: closed, being made, free, or busy with a request. Makes
 * the closed ones again, many at a time while the service accepts, one at a time with growing pauses while it does not.
 */
final class Pool {
    private static final int MADE_AT_ONCE = 64;

    /** Told what becomes of connections. */
    interface Listener {
        /** It was made at TCP level. */
        void opened();

        /** It was made and is free. */
        void ready(Connection connection);

        /** It could not be made. */
        void refused(FailureKind kind, String why);
    }

    private final EngineConfig config;
    private final Selector selector;
    private final Listener listener;
    private final ByteBuffer scratch;
    private final Backoff backoff = new Backoff(MADE_AT_ONCE);
    private final ConnectionList closed = new ConnectionList();
    private final ConnectionList connecting = new ConnectionList();
    final ConnectionList free = new ConnectionList();
    final ConnectionList busy = new ConnectionList();

    private FailureKind lastKind = FailureKind.CONNECT;
    private @Nullable String lastReason;

    Pool(EngineConfig config, int size, Selector selector, ByteBuffer scratch, Listener listener) {
        this.config = config;
        this.selector = selector;
        this.scratch = scratch;
        this.listener = listener;
        for (int i = 0; i < size; i++) {
            closed.add(new Connection(config.maxHeaderBytes(), config.maxBodyBytes()));
        }
    }

    /** Makes what is closed, as far as now is the time for it. */
    void open(long nowNanos) {
        Connection next = closed.first();
        while (next != null && backoff.mayTry(nowNanos, connecting.size())) {
            open(next, nowNanos);
            next = closed.first();
        }
    }

    private void open(Connection connection, long nowNanos) {
        try {
            SocketChannel channel = SocketChannel.open();
            try {
                channel.configureBlocking(false);
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                boolean done = channel.connect(config.address());
                int ops = done ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT;
                connection.opened(channel, channel.register(selector, ops, connection));
                connection.state = Connection.State.CONNECTING;
                connection.sinceNanos = nowNanos;
                connecting.add(connection);
                if (done) {
                    connected(connection);
                }
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
        } catch (IOException e) {
            failed(connection, e, nowNanos);
        }
    }

    /** Goes on with a connection that is being made, when its channel is ready. */
    void goOn(Connection connection, long nowNanos) {
        try {
            if (connection.state == Connection.State.CONNECTING) {
                if (connection.finishConnect()) {
                    connected(connection);
                }
            } else if (connection.handshake(scratch)) {
                ready(connection);
            }
        } catch (IOException e) {
            failed(connection, e, nowNanos);
        }
    }

    private void connected(Connection connection) throws IOException {
        listener.opened();
        Tls tls = config.tls();
        if (tls == null) {
            ready(connection);
            return;
        }
        connection.state = Connection.State.HANDSHAKING;
        connection.secure(new TlsSession(tls.newEngine(config.address().getPort())));
        if (connection.handshake(scratch)) {
            ready(connection);
        }
    }

    private void ready(Connection connection) {
        // A service that closes what it accepts has not recovered by accepting again.
        if (lastKind != FailureKind.CLOSED) {
            backoff.succeeded();
        }
        free(connection);
        listener.ready(connection);
    }

    private void failed(Connection connection, IOException e, long nowNanos) {
        boolean secured = connection.state == Connection.State.HANDSHAKING;
        failed(connection, secured ? FailureKind.TLS : FailureKind.CONNECT, Tls.reason(e), nowNanos);
    }

    private void failed(Connection connection, FailureKind kind, String why, long nowNanos) {
        close(connection);
        backoff.failed(nowNanos);
        lastKind = kind;
        lastReason = why;
        listener.refused(kind, why);
    }

    /** Gives up connections that were not made in time. */
    void expire(long nowNanos) {
        Connection oldest = connecting.first();
        while (oldest != null
                && nowNanos - oldest.sinceNanos >= config.connectTimeout().toNanos()) {
            boolean secured = oldest.state == Connection.State.HANDSHAKING;
            failed(
                    oldest,
                    secured ? FailureKind.TLS : FailureKind.CONNECT,
                    "not connected within " + config.connectTimeout().toMillis() + " ms",
                    nowNanos);
            oldest = connecting.first();
        }
    }

    /** A connection has carried a whole response. */
    void answered(Connection connection) {
        connection.used = true;
        if (backoff.failing() && lastKind == FailureKind.CLOSED) {
            backoff.succeeded();
        }
    }

    /** Makes a connection available. */
    void free(Connection connection) {
        connection.state = Connection.State.IDLE;
        free.add(connection);
    }

    void busy(Connection connection) {
        connection.state = Connection.State.BUSY;
        busy.add(connection);
    }

    /** Closes a connection; it is made again when its turn comes. */
    void close(Connection connection) {
        connection.close();
        closed.add(connection);
    }

    /** The service closed a free connection. One it never let us use counts as a refusal. */
    void closedByService(Connection connection, long nowNanos) {
        boolean used = connection.used;
        close(connection);
        if (!used) {
            backoff.failed(nowNanos);
            lastKind = FailureKind.CLOSED;
            lastReason = "the service closes connections at once";
        }
    }

    /** Whether nothing can be sent now or soon: no connection stands, and the last attempt failed. */
    boolean down() {
        return backoff.failing() && free.size() + busy.size() + connecting.size() == 0;
    }

    FailureKind downKind() {
        return lastKind;
    }

    @Nullable
    String downReason() {
        return lastReason;
    }

    /** Whether every connection has been made or tried. */
    boolean settled() {
        return connecting.size() == 0 && (closed.size() == 0 || backoff.failing());
    }

    /** When something here is to be done next without an event: a time-out or another attempt. */
    long nextNanos() {
        Connection oldest = connecting.first();
        long timeout = oldest == null
                ? Long.MAX_VALUE
                : oldest.sinceNanos + config.connectTimeout().toNanos();
        long retry = closed.size() > 0 && connecting.size() == 0 && backoff.failing()
                ? backoff.nextTryNanos()
                : Long.MAX_VALUE;
        return Math.min(timeout, retry);
    }

    /** Closes what is being made, and, where asked, everything. */
    void closeUnfinished(boolean all) {
        closeAll(connecting);
        closeAll(busy);
        if (all) {
            closeAll(free);
        }
    }

    private void closeAll(ConnectionList list) {
        Connection next = list.first();
        while (next != null) {
            close(next);
            next = list.first();
        }
    }
}
