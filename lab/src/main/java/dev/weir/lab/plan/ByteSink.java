package dev.weir.lab.plan;

import java.nio.ByteBuffer;

/** A direct buffer that grows and is used again for every request of one thread. */
final class ByteSink {
    private static final int LONGEST_DECIMAL = 20;

    private final byte[] digits = new byte[LONGEST_DECIMAL];
    private ByteBuffer bytes = ByteBuffer.allocateDirect(1_024);

    void clear() {
        bytes.clear();
    }

    int size() {
        return bytes.position();
    }

    void put(byte[] content) {
        ensure(content.length);
        bytes.put(content);
    }

    void putDecimal(long number) {
        int start = LONGEST_DECIMAL;
        // Counting down on the negative side, since Long.MIN_VALUE has no positive counterpart.
        long rest = number < 0 ? number : -number;
        do {
            digits[--start] = (byte) ('0' - rest % 10);
            rest /= 10;
        } while (rest != 0);
        if (number < 0) {
            digits[--start] = '-';
        }
        ensure(LONGEST_DECIMAL - start);
        bytes.put(digits, start, LONGEST_DECIMAL - start);
    }

    /** Appends what the other holds and leaves the other empty. */
    void drain(ByteSink other) {
        ensure(other.size());
        bytes.put(other.bytes.flip());
        other.clear();
    }

    /** What was put since the last clear, from position to limit. Valid until the next clear. */
    ByteBuffer flip() {
        return bytes.flip();
    }

    private void ensure(int more) {
        if (bytes.remaining() < more) {
            int needed = Math.addExact(bytes.position(), more);
            bytes = ByteBuffer.allocateDirect(Math.max(needed, bytes.capacity() * 2))
                    .put(bytes.flip());
        }
    }
}
