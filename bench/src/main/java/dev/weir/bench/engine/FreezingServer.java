package dev.weir.bench.engine;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Answers at once, save in the last part of each period, when everything waits for its end. */
final class FreezingServer implements AutoCloseable {
    private static final byte[] RESPONSE =
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".getBytes(StandardCharsets.US_ASCII);
    private static final int END_OF_HEADER = 0x0d0a0d0a;

    private final ServerSocket listener;
    private final long periodNanos;
    private final long frozenNanos;
    private volatile long firstPeriodNanos = Long.MAX_VALUE;

    private FreezingServer(ServerSocket listener, Duration period, Duration frozen) {
        this.listener = listener;
        this.periodNanos = period.toNanos();
        this.frozenNanos = frozen.toNanos();
    }

    static FreezingServer start(Duration period, Duration frozen) throws IOException {
        ServerSocket listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        FreezingServer server = new FreezingServer(listener, period, frozen);
        Thread.ofVirtual().start(server::accept);
        return server;
    }

    InetSocketAddress address() {
        return (InetSocketAddress) listener.getLocalSocketAddress();
    }

    /** Begins the first period with the next request. */
    void startPeriods() {
        firstPeriodNanos = -1;
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listener.accept();
                socket.setTcpNoDelay(true);
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException e) {
            // The server was closed.
        }
    }

    private void serve(Socket accepted) {
        try (accepted) {
            InputStream in = accepted.getInputStream();
            int lastFour = 0;
            int next = in.read();
            while (next >= 0) {
                lastFour = (lastFour << 8) | next;
                if (lastFour == END_OF_HEADER) {
                    waitWhileFrozen();
                    accepted.getOutputStream().write(RESPONSE);
                }
                next = in.read();
            }
        } catch (IOException e) {
            // The other side is gone.
        }
    }

    private void waitWhileFrozen() {
        long left = frozenForNanos(System.nanoTime());
        while (left > 0) {
            LockSupport.parkNanos(left);
            left = frozenForNanos(System.nanoTime());
        }
    }

    private synchronized long frozenForNanos(long now) {
        if (firstPeriodNanos == Long.MAX_VALUE) {
            return 0;
        }
        if (firstPeriodNanos == -1) {
            firstPeriodNanos = now;
        }
        long inPeriod = (now - firstPeriodNanos) % periodNanos;
        return inPeriod >= periodNanos - frozenNanos ? periodNanos - inPeriod : 0;
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
