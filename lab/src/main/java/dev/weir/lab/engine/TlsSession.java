package dev.weir.lab.engine;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/** TLS over one non-blocking connection. Delegated tasks run on the engine thread. */
final class TlsSession {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SSLEngine engine;
    /** Received and not yet decrypted, ready to be filled. */
    private final ByteBuffer in;
    /** Encrypted and not yet sent, ready to be drained. */
    private final ByteBuffer out;

    private boolean begun;
    private boolean closed;

    TlsSession(SSLEngine engine) {
        this.engine = engine;
        int size = engine.getSession().getPacketBufferSize();
        in = ByteBuffer.allocate(size);
        out = ByteBuffer.allocate(size).flip();
    }

    boolean hasUnsent() {
        return out.hasRemaining();
    }

    /**
     * Goes on with the handshake as far as it can without waiting.
     *
     * @return whether it is complete
     * @throws IOException if it failed
     */
    boolean handshake(SocketChannel channel, ByteBuffer scratch) throws IOException {
        if (!begun) {
            begun = true;
            engine.beginHandshake();
        }
        while (drain(channel)) {
            switch (engine.getHandshakeStatus()) {
                case NEED_TASK -> runTasks();
                case NEED_WRAP -> wrap(NOTHING);
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                    if (!unwrapHandshake(channel, scratch)) {
                        return false;
                    }
                }
                default -> {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean unwrapHandshake(SocketChannel channel, ByteBuffer scratch) throws IOException {
        scratch.clear();
        SSLEngineResult.Status status = unwrap(scratch).getStatus();
        if (status == SSLEngineResult.Status.CLOSED) {
            throw new SSLException("the service ended the TLS handshake");
        }
        return status != SSLEngineResult.Status.BUFFER_UNDERFLOW || fill(channel);
    }

    private boolean fill(SocketChannel channel) throws IOException {
        int count = channel.read(in);
        if (count < 0) {
            throw new EOFException("the service closed the connection during the TLS handshake");
        }
        return count > 0;
    }

    /** Reads and decrypts; answers the number of bytes put into the buffer, or -1 at the end. */
    int read(SocketChannel channel, ByteBuffer into) throws IOException {
        int start = into.position();
        while (true) {
            decrypt(channel, into);
            if (into.position() > start) {
                return into.position() - start;
            }
            if (closed) {
                return -1;
            }
            int count = channel.read(in);
            if (count <= 0) {
                return count;
            }
        }
    }

    private void decrypt(SocketChannel channel, ByteBuffer into) throws IOException {
        int record = engine.getSession().getApplicationBufferSize();
        while (!closed && in.position() > 0 && into.remaining() >= record) {
            SSLEngineResult result = unwrap(into);
            if (result.getStatus() == SSLEngineResult.Status.BUFFER_UNDERFLOW) {
                return;
            }
            closed = result.getStatus() == SSLEngineResult.Status.CLOSED;
            answer(channel, result.getHandshakeStatus());
        }
    }

    /** Does what a message after the handshake, such as a change of keys, asks for. */
    private void answer(SocketChannel channel, HandshakeStatus asked) throws IOException {
        if (asked == HandshakeStatus.NEED_TASK) {
            runTasks();
        }
        if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP && drain(channel)) {
            wrap(NOTHING);
            drain(channel);
        }
    }

    /** Encrypts and sends as much as the socket takes; the rest stays in the buffer or here. */
    void write(SocketChannel channel, ByteBuffer from) throws IOException {
        while (drain(channel) && from.hasRemaining()) {
            wrap(from);
        }
    }

    private boolean drain(SocketChannel channel) throws IOException {
        if (out.hasRemaining()) {
            channel.write(out);
        }
        return !out.hasRemaining();
    }

    private void wrap(ByteBuffer from) throws SSLException {
        out.clear();
        SSLEngineResult result = engine.wrap(from, out);
        out.flip();
        if (result.getStatus() == SSLEngineResult.Status.CLOSED && !out.hasRemaining()) {
            throw new SSLException("the service ended the TLS session");
        }
    }

    private SSLEngineResult unwrap(ByteBuffer into) throws SSLException {
        in.flip();
        try {
            return engine.unwrap(in, into);
        } finally {
            in.compact();
        }
    }

    private void runTasks() {
        Runnable task = engine.getDelegatedTask();
        while (task != null) {
            task.run();
            task = engine.getDelegatedTask();
        }
    }
}
