package dev.weir.core.express;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Sends byte streams to two servers and compares what comes back, many streams at a time in one thread, so that waiting
 * between the pieces of one stream costs the others nothing.
 */
final class TwinRun {

    /** A stream and where it is cut. */
    static final class Stream {
        final int number;
        final byte[] bytes;
        final int[] cuts;

        Stream(int number, byte[] bytes, int[] cuts) {
            this.number = number;
            this.bytes = bytes;
            this.cuts = cuts;
        }
    }

    /** Makes the stream of a number. */
    interface Source {
        Stream at(int number);
    }

    /** Hears of streams that were answered differently, dates aside. */
    interface Difference {
        void judge(Stream stream, String first, String second) throws IOException;
    }

    private static final int AT_A_TIME = 64;
    private static final long BETWEEN_PIECES_NANOS = 2_000_000;
    private static final long GIVE_UP_NANOS = 20_000_000_000L;
    private static final byte[] DATE = "\r\nDate: ".getBytes(StandardCharsets.US_ASCII);

    private final int firstPort;
    private final int secondPort;
    private final Difference difference;
    private final Queue<Exchange> waiting = new ArrayDeque<>();
    private final ByteBuffer in = ByteBuffer.allocateDirect(64 << 10);
    private int running;
    private long compared;

    TwinRun(int firstPort, int secondPort, Difference difference) {
        this.firstPort = firstPort;
        this.secondPort = secondPort;
        this.difference = difference;
    }

    /** Compares the streams 0 to count until the time is over; how many were compared. */
    long run(int count, Duration limit, Source source) throws IOException {
        long start = System.nanoTime();
        int next = 0;
        try (Selector selector = Selector.open()) {
            while (true) {
                boolean more = next < count && System.nanoTime() - start < limit.toNanos();
                while (more && running < AT_A_TIME && next < count) {
                    new Pair(source.at(next++)).start(selector);
                }
                if (running == 0) {
                    return compared;
                }
                selector.select(key -> readable((Exchange) key.attachment()), 1);
                sendNextPieces();
                giveUpOn(selector);
            }
        }
    }

    private void sendNextPieces() {
        long now = System.nanoTime();
        for (Exchange due = waiting.peek(); due != null && now - due.dueNanos >= 0; due = waiting.peek()) {
            waiting.remove();
            due.send();
        }
    }

    private static void giveUpOn(Selector selector) {
        for (SelectionKey key : selector.keys()) {
            Exchange exchange = (Exchange) key.attachment();
            if (key.isValid() && System.nanoTime() - exchange.startNanos > GIVE_UP_NANOS) {
                throw new AssertionError("No end of the answer to stream " + exchange.pair.stream.number + " within "
                        + GIVE_UP_NANOS / 1_000_000_000 + " s.");
            }
        }
    }

    private void readable(Exchange exchange) {
        try {
            exchange.read();
        } catch (IOException broken) {
            throw new AssertionError(broken);
        }
    }

    /** One stream on its way to both servers. */
    private final class Pair {
        private final Stream stream;
        private @Nullable Exchange first;
        private @Nullable Exchange second;

        Pair(Stream stream) {
            this.stream = stream;
        }

        void start(Selector selector) throws IOException {
            running++;
            Exchange toFirst = new Exchange(this, firstPort, selector);
            Exchange toSecond = new Exchange(this, secondPort, selector);
            first = toFirst;
            second = toSecond;
            toFirst.send();
            toSecond.send();
        }

        void ended() throws IOException {
            if (first != null && second != null && first.isEnded && second.isEnded) {
                running--;
                compared++;
                byte[] one = first.masked();
                byte[] other = second.masked();
                if (!Arrays.equals(one, other)) {
                    difference.judge(
                            stream,
                            new String(one, StandardCharsets.ISO_8859_1),
                            new String(other, StandardCharsets.ISO_8859_1));
                }
            }
        }
    }

    /** One stream on its way to one server. */
    private final class Exchange {
        private final Pair pair;
        private final SocketChannel socket;
        private final int[] cuts;
        private final long startNanos = System.nanoTime();
        private byte[] answer = new byte[1024];
        private int length;
        private int piece;
        private long dueNanos;
        private boolean isEnded;

        Exchange(Pair pair, int port, Selector selector) throws IOException {
            this.pair = pair;
            cuts = pair.stream.cuts;
            socket = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
            socket.configureBlocking(false);
            socket.register(selector, SelectionKey.OP_READ, this);
        }

        void send() {
            int from = piece == 0 ? 0 : cuts[piece - 1];
            boolean last = piece == cuts.length;
            int to = last ? pair.stream.bytes.length : cuts[piece];
            piece++;
            try {
                ByteBuffer bytes = ByteBuffer.wrap(pair.stream.bytes, from, to - from);
                while (bytes.hasRemaining()) {
                    // A stream is far smaller than a socket's buffer.
                    socket.write(bytes);
                }
                if (last) {
                    socket.shutdownOutput();
                    return;
                }
            } catch (IOException closedEarly) {
                // The server has answered and closed; what it said is still to be read.
                return;
            }
            dueNanos = System.nanoTime() + BETWEEN_PIECES_NANOS;
            waiting.add(this);
        }

        void read() throws IOException {
            in.clear();
            int read;
            try {
                read = socket.read(in);
            } catch (SocketException reset) {
                // A close with bytes unread resets; what was sent before it has been read.
                read = -1;
            }
            if (read < 0) {
                isEnded = true;
                waiting.remove(this);
                socket.close();
                pair.ended();
                return;
            }
            if (answer.length < length + read) {
                answer = Arrays.copyOf(answer, 2 * (length + read));
            }
            in.flip().get(answer, length, read);
            length += read;
        }

        private byte[] masked() {
            for (int i = 0; i + DATE.length + 29 <= length; i++) {
                if (answer[i] == '\r' && Arrays.equals(answer, i, i + DATE.length, DATE, 0, DATE.length)) {
                    Arrays.fill(answer, i + DATE.length, i + DATE.length + 29, (byte) '*');
                }
            }
            return Arrays.copyOf(answer, length);
        }
    }
}
