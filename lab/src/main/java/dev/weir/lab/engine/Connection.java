package dev.weir.lab.engine;

import dev.weir.lab.http1.ResponseParser;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** One slot for a connection, which may be replaced many times. Used by its engine thread alone. */
final class Connection {
    enum State {
        CLOSED,
        CONNECTING,
        HANDSHAKING,
        IDLE,
        BUSY
    }

    final ResponseParser parser;
    State state = State.CLOSED;

    /** When connecting began, or when the request in flight was sent. */
    long sinceNanos;

    long intendedNanos;

    /** Whether this connection has carried a response. */
    boolean used;

    @Nullable
    ConnectionList list;

    @Nullable
    Connection previous;

    @Nullable
    Connection next;

    private @Nullable SocketChannel channel;
    private @Nullable SelectionKey key;
    private @Nullable TlsSession tls;
    private @Nullable ByteBuffer unsent;

    Connection(int maxHeaderBytes, long maxBodyBytes) {
        parser = new ResponseParser(maxHeaderBytes, maxBodyBytes);
    }

    void opened(SocketChannel newChannel, SelectionKey newKey) {
        channel = newChannel;
        key = newKey;
        used = false;
    }

    /** Ends the TCP handshake. */
    boolean finishConnect() throws IOException {
        boolean connected = channel().finishConnect();
        if (connected) {
            key().interestOps(SelectionKey.OP_READ);
        }
        return connected;
    }

    void secure(TlsSession session) {
        tls = session;
    }

    /** Goes on with the TLS handshake; answers whether it is complete. */
    boolean handshake(ByteBuffer scratch) throws IOException {
        TlsSession session = tls;
        boolean done = session == null || session.handshake(channel(), scratch);
        awaitWritable(session != null && session.hasUnsent());
        return done;
    }

    /** Reads what has come; answers the number of the response's bytes put into the buffer, or -1 at the end. */
    int read(ByteBuffer into) throws IOException {
        TlsSession session = tls;
        return session == null ? channel().read(into) : session.read(channel(), into);
    }

    /** Whether a read that gave this many bytes may have left some that no readiness event will tell of. */
    boolean mayHaveMore(int count, ByteBuffer into) {
        return count > 0 && (tls != null || !into.hasRemaining());
    }

    /** Writes a request. What the socket does not take now is kept and written once it can. */
    void write(ByteBuffer request) throws IOException {
        TlsSession session = tls;
        if (session == null) {
            channel().write(request);
        } else {
            session.write(channel(), request);
        }
        if (request.hasRemaining() || (session != null && session.hasUnsent())) {
            unsent = ByteBuffer.allocate(request.remaining()).put(request).flip();
            awaitWritable(true);
        }
    }

    boolean hasUnsent() {
        return unsent != null;
    }

    /** Writes on after a short write. */
    void flush() throws IOException {
        ByteBuffer rest = unsent;
        if (rest == null) {
            return;
        }
        TlsSession session = tls;
        if (session == null) {
            channel().write(rest);
        } else {
            session.write(channel(), rest);
        }
        if (!rest.hasRemaining() && (session == null || !session.hasUnsent())) {
            unsent = null;
            awaitWritable(false);
        }
    }

    private void awaitWritable(boolean wanted) {
        int ops = wanted ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
        if (key().interestOps() != ops) {
            key().interestOps(ops);
        }
    }

    /** Closes it; harmless where it is closed. */
    void close() {
        state = State.CLOSED;
        SocketChannel open = channel;
        channel = null;
        key = null;
        tls = null;
        unsent = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // It is gone either way.
            }
        }
    }

    private SocketChannel channel() {
        SocketChannel open = channel;
        if (open == null) {
            throw new IllegalStateException("connection is not open");
        }
        return open;
    }

    private SelectionKey key() {
        SelectionKey registered = key;
        if (registered == null) {
            throw new IllegalStateException("connection is not open");
        }
        return registered;
    }
}
