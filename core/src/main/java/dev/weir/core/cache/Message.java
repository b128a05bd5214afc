package dev.weir.core.cache;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What nodes tell each other. The form on the wire starts with a version; what is not understood is a gap. */
sealed interface Message {

    /** The node that sent it. */
    String publisher();

    /** Keys of one cache were invalidated. */
    record Evicted(String publisher, String cache, long sequence, boolean acknowledge, List<String> keys)
            implements Message {}

    /** A whole cache was invalidated; its values in Redis now carry another epoch. */
    record Cleared(String publisher, String cache, long sequence, boolean acknowledge, long epoch) implements Message {}

    /** A sign of life with the last sequence number of each cache. */
    record Beat(String publisher, long number, Map<String, Long> last) implements Message {}

    /** The last message of a node that stops in order; with the last sequence number of each cache. */
    record Left(String publisher, Map<String, Long> last) implements Message {}

    /** To the publisher alone: its message has been handled. */
    record Handled(String publisher, String cache, long sequence) implements Message {}

    /** Bytes that are no message of this version. */
    final class UnreadableException extends Exception {
        UnreadableException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    private static byte version() {
        return 1;
    }

    static byte[] encode(Message message) {
        Out out = new Out();
        out.buffer.put(version());
        switch (message) {
            case Evicted m -> {
                out.head('E', m.publisher);
                out.text(m.cache);
                out.number(m.sequence);
                out.number(m.acknowledge ? 1 : 0);
                out.number(m.keys.size());
                m.keys.forEach(out::text);
            }
            case Cleared m -> {
                out.head('C', m.publisher);
                out.text(m.cache);
                out.number(m.sequence);
                out.number(m.acknowledge ? 1 : 0);
                out.number(m.epoch);
            }
            case Beat m -> {
                out.head('B', m.publisher);
                out.number(m.number);
                out.numbers(m.last);
            }
            case Left m -> {
                out.head('L', m.publisher);
                out.numbers(m.last);
            }
            case Handled m -> {
                out.head('H', m.publisher);
                out.text(m.cache);
                out.number(m.sequence);
            }
        }
        return out.bytes();
    }

    static Message decode(byte[] bytes) throws UnreadableException {
        try {
            ByteBuffer in = ByteBuffer.wrap(bytes);
            byte version = in.get();
            if (version != version()) {
                throw new UnreadableException("message of version " + version, new IllegalArgumentException());
            }
            char type = (char) in.get();
            String publisher = text(in);
            return switch (type) {
                case 'E' -> new Evicted(publisher, text(in), in.getLong(), in.getLong() == 1, texts(in));
                case 'C' -> new Cleared(publisher, text(in), in.getLong(), in.getLong() == 1, in.getLong());
                case 'B' -> new Beat(publisher, in.getLong(), numbers(in));
                case 'L' -> new Left(publisher, numbers(in));
                case 'H' -> new Handled(publisher, text(in), in.getLong());
                default -> throw new UnreadableException("message of type " + type, new IllegalArgumentException());
            };
        } catch (RuntimeException malformed) {
            throw new UnreadableException("malformed message of " + bytes.length + " bytes", malformed);
        }
    }

    private static String text(ByteBuffer in) {
        int length = in.getInt();
        // Asked before the array is made: what a foreign message says its length is may be any number.
        if (length < 0 || length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static List<String> texts(ByteBuffer in) {
        long count = in.getLong();
        List<String> texts = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            texts.add(text(in));
        }
        return texts;
    }

    private static Map<String, Long> numbers(ByteBuffer in) {
        long count = in.getLong();
        Map<String, Long> numbers = new LinkedHashMap<>();
        for (long i = 0; i < count; i++) {
            numbers.put(text(in), in.getLong());
        }
        return numbers;
    }

    /** A buffer that grows. */
    final class Out {
        private ByteBuffer buffer = ByteBuffer.allocate(256);

        private void head(char type, String publisher) {
            buffer.put((byte) type);
            text(publisher);
        }

        private void number(long number) {
            room(Long.BYTES).putLong(number);
        }

        private void text(String text) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            room(Integer.BYTES + bytes.length).putInt(bytes.length).put(bytes);
        }

        private void numbers(Map<String, Long> numbers) {
            number(numbers.size());
            numbers.forEach((name, value) -> {
                text(name);
                number(value);
            });
        }

        private ByteBuffer room(int bytes) {
            if (buffer.remaining() < bytes) {
                ByteBuffer larger = ByteBuffer.allocate(Math.max(2 * buffer.capacity(), buffer.position() + bytes));
                buffer = larger.put(buffer.flip());
            }
            return buffer;
        }

        private byte[] bytes() {
            byte[] bytes = new byte[buffer.position()];
            buffer.flip().get(bytes);
            return bytes;
        }
    }
}
