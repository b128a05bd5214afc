package dev.weir.lab.engine;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/** A service that does to each connection what a script says, however wrong. */
final class StubServer implements AutoCloseable {
    /** What happens on one connection; when it ends, the connection is closed. */
    @FunctionalInterface
    interface Script {
        void serve(Client client) throws IOException, InterruptedException;
    }

    /** One accepted connection. */
    static final class Client {
        final int index;
        final Socket socket;

        Client(int index, Socket socket) {
            this.index = index;
            this.socket = socket;
        }

        /** Waits for a request without a body; answers whether one came. */
        boolean request() throws IOException {
            InputStream in = socket.getInputStream();
            int lastFour = 0;
            int next = in.read();
            while (next >= 0) {
                lastFour = (lastFour << 8) | next;
                if (lastFour == 0x0d0a0d0a) {
                    return true;
                }
                next = in.read();
            }
            return false;
        }

        void send(String text) throws IOException {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        }

        /** Makes the coming close a reset. */
        void reset() throws IOException {
            socket.setSoLinger(true, 0);
        }

        /** Waits until the other side closes. */
        void waitForTheEnd() throws IOException {
            while (socket.getInputStream().read() >= 0) {
                // Whatever else it sends is of no interest.
            }
        }
    }

    static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    private final ServerSocket listener;
    private final Script script;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private final AtomicInteger accepted = new AtomicInteger();

    StubServer(Script script) throws IOException {
        this.script = script;
        this.listener = new ServerSocket(0, 1_000, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
    }

    InetSocketAddress address() {
        return (InetSocketAddress) listener.getLocalSocketAddress();
    }

    int accepted() {
        return accepted.get();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listener.accept();
                socket.setTcpNoDelay(true);
                sockets.add(socket);
                Client client = new Client(accepted.getAndIncrement(), socket);
                threads.execute(() -> serve(client));
            }
        } catch (IOException | RejectedExecutionException e) {
            // The server was closed.
        }
    }

    private void serve(Client client) {
        try (client.socket) {
            script.serve(client);
        } catch (IOException e) {
            // The engine closed its side.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
        threads.shutdownNow();
    }
}
