package dev.weir.bench.check;

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
import java.util.PriorityQueue;
import java.util.Random;

/**
 * A service whose capacity is known exactly: a queue before c workers, kept as arithmetic. A request that arrives at a time
 * is taken by the worker that is free first, and its answer is due when that worker has spent its service time on it; one
 * thread reads requests, and sends what is due from a heap. A late answer does not move the schedule, so neither the
 * system's timers nor a busy machine change the capacity: it is c / mean service time as long as this thread keeps up,
 * which costs it some microseconds a request.
 *
 * <p>Arguments: {@code fixed} or {@code exponential}, workers, mean service time in milliseconds, seed. Prints its port and
 * ends when its standard input does.
 */
public final class QueueStub {
    private static final byte[] RESPONSE =
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".getBytes(StandardCharsets.US_ASCII);
    private static final int END_OF_HEADER =
            ByteBuffer.wrap("\r\n\r\n".getBytes(StandardCharsets.US_ASCII)).getInt();

    private record Due(long nanos, SocketChannel channel) {}

    private final boolean exponential;
    private final double meanNanos;
    private final Random random;
    private final PriorityQueue<Long> workersFreeAt = new PriorityQueue<>();
    private final PriorityQueue<Due> due = new PriorityQueue<>((a, b) -> Long.compare(a.nanos, b.nanos));
    private final ByteBuffer in = ByteBuffer.allocateDirect(1 << 14);
    private final ByteBuffer out = ByteBuffer.allocateDirect(RESPONSE.length);

    private QueueStub(boolean exponential, int workers, double meanMillis, long seed) {
        this.exponential = exponential;
        this.meanNanos = meanMillis * 1e6;
        this.random = new Random(seed);
        for (int i = 0; i < workers; i++) {
            workersFreeAt.add(Long.MIN_VALUE);
        }
    }

    /** Starts one. */
    public static void main(String[] arguments) throws IOException {
        QueueStub stub = new QueueStub(
                arguments[0].equals("exponential"),
                Integer.parseInt(arguments[1]),
                Double.parseDouble(arguments[2]),
                Long.parseLong(arguments[3]));
        ServerSocketChannel listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 4_096);
        listener.configureBlocking(false);
        Thread.ofPlatform().daemon().start(() -> stub.serve(listener));
        System.out.println(listener.socket().getLocalPort());
        System.out.flush();
        while (System.in.read() >= 0) {
            // Only its end matters.
        }
    }

    private void serve(ServerSocketChannel listener) {
        try (Selector selector = Selector.open()) {
            listener.register(selector, SelectionKey.OP_ACCEPT);
            while (true) {
                wait(selector);
                answerDue();
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void wait(Selector selector) throws IOException {
        Due next = due.peek();
        if (next == null) {
            selector.select(key -> ready(selector, key));
            return;
        }
        long millis = (next.nanos - System.nanoTime()) / 1_000_000;
        if (millis > 0) {
            selector.select(key -> ready(selector, key), millis);
        } else {
            selector.selectNow(key -> ready(selector, key));
        }
    }

    private void ready(Selector selector, SelectionKey key) {
        try {
            if (key.channel() instanceof ServerSocketChannel listener) {
                accept(selector, listener);
            } else {
                read((SocketChannel) key.channel());
            }
        } catch (IOException e) {
            key.cancel();
            close(key);
        }
    }

    private static void accept(Selector selector, ServerSocketChannel listener) throws IOException {
        SocketChannel channel = listener.accept();
        while (channel != null) {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.register(selector, SelectionKey.OP_READ);
            channel = listener.accept();
        }
    }

    /** The generator sends one small request at a time on a connection, so each ends within one read. */
    private void read(SocketChannel channel) throws IOException {
        in.clear();
        int count = channel.read(in);
        if (count < 0) {
            channel.close();
            return;
        }
        if (count >= 4 && in.getInt(count - 4) == END_OF_HEADER) {
            enqueue(channel, System.nanoTime());
        }
    }

    private void enqueue(SocketChannel channel, long now) {
        Long free = workersFreeAt.remove();
        long start = Math.max(free, now);
        long end = start + (long) (exponential ? -Math.log(1 - random.nextDouble()) * meanNanos : meanNanos);
        workersFreeAt.add(end);
        due.add(new Due(end, channel));
    }

    private void answerDue() {
        long now = System.nanoTime();
        Due next = due.peek();
        while (next != null && next.nanos <= now) {
            due.remove();
            try {
                out.clear();
                next.channel.write(out.put(RESPONSE).flip());
            } catch (IOException e) {
                // The client gave up on it.
            }
            next = due.peek();
        }
    }

    private static void close(SelectionKey key) {
        try {
            key.channel().close();
        } catch (IOException e) {
            // It is gone either way.
        }
    }
}
