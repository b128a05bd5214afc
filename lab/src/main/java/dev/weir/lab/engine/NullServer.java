package dev.weir.lab.engine;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The cheapest HTTP service there can be in Java: answers every request with the same bytes, without looking at more of it
 * than where its header ends. What a generator measures here is its own limit. Listens on the loopback interface only.
 */
public final class NullServer implements AutoCloseable {
    private static final int READ_BYTES = 1 << 14;
    private static final int BACKLOG = 4_096;
    private static final int END_OF_HEADER =
            ByteBuffer.wrap("\r\n\r\n".getBytes(StandardCharsets.US_ASCII)).getInt();

    private final ServerSocketChannel listener;
    private final List<Worker> workers = new ArrayList<>();
    private final byte[] response;

    private NullServer(ServerSocketChannel listener, int threads, int bodyBytes) throws IOException {
        this.listener = listener;
        this.response = response(bodyBytes);
        for (int i = 0; i < threads; i++) {
            workers.add(new Worker(i));
        }
    }

    /**
     * Starts a server.
     *
     * @param port to listen on; 0 for any free one
     * @param threads serving threads; at least 1
     * @param bodyBytes length of each response's body
     * @throws IOException if the port is taken
     */
    public static NullServer start(int port, int threads, int bodyBytes) throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open();
        try {
            listener.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
            listener.configureBlocking(false);
            NullServer server = new NullServer(listener, threads, bodyBytes);
            Worker first = server.workers.getFirst();
            listener.register(first.selector, SelectionKey.OP_ACCEPT);
            server.workers.forEach(worker -> worker.thread.start());
            return server;
        } catch (IOException | RuntimeException e) {
            listener.close();
            throw e;
        }
    }

    private static byte[] response(int bodyBytes) {
        String header = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " + bodyBytes + "\r\n\r\n";
        return (header + "x".repeat(bodyBytes)).getBytes(StandardCharsets.US_ASCII);
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return new InetSocketAddress(
                InetAddress.getLoopbackAddress(), listener.socket().getLocalPort());
    }

    /** Closes all connections and ends all threads; waits at most a second for them. */
    @Override
    public void close() {
        workers.forEach(Worker::stop);
        try {
            listener.close();
            for (Worker worker : workers) {
                worker.thread.join(Duration.ofSeconds(1));
            }
        } catch (IOException e) {
            // Nothing listens any more.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What a connection has received of the next header, and what is not yet written of the last response. */
    private static final class Client {
        final ByteBuffer out;
        int lastFour;
        int owed;

        Client(ByteBuffer out) {
            this.out = out;
        }
    }

    private final class Worker implements Runnable {
        final Selector selector = Selector.open();
        final Thread thread;
        private final Queue<SocketChannel> accepted = new ConcurrentLinkedQueue<>();
        private final ByteBuffer in = ByteBuffer.allocateDirect(READ_BYTES);
        private final ByteBuffer answer =
                ByteBuffer.allocateDirect(response.length).put(response).flip();
        private volatile boolean stopped;
        private int next;

        Worker(int index) throws IOException {
            thread = Thread.ofPlatform().daemon().name("weir-null-" + index).unstarted(this);
        }

        void stop() {
            stopped = true;
            selector.wakeup();
        }

        @Override
        public void run() {
            try {
                while (!stopped) {
                    selector.select(this::ready);
                    adopt();
                }
            } catch (IOException e) {
                // The selector is broken; the connections are closed below.
            } finally {
                closeAll();
            }
        }

        private void adopt() throws IOException {
            SocketChannel channel = accepted.poll();
            while (channel != null) {
                channel.configureBlocking(false);
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                channel.register(
                        selector,
                        SelectionKey.OP_READ,
                        new Client(answer.duplicate().position(answer.limit())));
                channel = accepted.poll();
            }
        }

        private void ready(SelectionKey key) {
            try {
                if (key.isAcceptable()) {
                    accept();
                } else {
                    serve(key, (SocketChannel) key.channel(), (Client) key.attachment());
                }
            } catch (IOException e) {
                closeQuietly(key);
            }
        }

        private void accept() throws IOException {
            SocketChannel channel = listener.accept();
            while (channel != null) {
                Worker worker = workers.get(next++ % workers.size());
                worker.accepted.add(channel);
                worker.selector.wakeup();
                channel = listener.accept();
            }
        }

        private void serve(SelectionKey key, SocketChannel channel, Client client) throws IOException {
            in.clear();
            int count = channel.read(in);
            if (count < 0) {
                channel.close();
                return;
            }
            client.owed += requestsIn(count, client);
            write(key, channel, client);
        }

        private int requestsIn(int count, Client client) {
            int requests = 0;
            int lastFour = client.lastFour;
            for (int i = 0; i < count; i++) {
                lastFour = (lastFour << 8) | (in.get(i) & 0xff);
                if (lastFour == END_OF_HEADER) {
                    requests++;
                }
            }
            client.lastFour = lastFour;
            return requests;
        }

        private void write(SelectionKey key, SocketChannel channel, Client client) throws IOException {
            while (client.out.hasRemaining() || client.owed > 0) {
                if (!client.out.hasRemaining()) {
                    client.out.rewind();
                    client.owed--;
                }
                channel.write(client.out);
                if (client.out.hasRemaining()) {
                    key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
                    return;
                }
            }
            if (key.interestOps() != SelectionKey.OP_READ) {
                key.interestOps(SelectionKey.OP_READ);
            }
        }

        private void closeAll() {
            selector.keys().forEach(Worker.this::closeQuietly);
            try {
                selector.close();
            } catch (IOException e) {
                // It is gone either way.
            }
        }

        private void closeQuietly(SelectionKey key) {
            try {
                key.channel().close();
            } catch (IOException e) {
                // It is gone either way.
            }
        }
    }
}
