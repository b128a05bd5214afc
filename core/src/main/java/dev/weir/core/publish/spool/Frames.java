package dev.weir.core.publish.spool;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * How records lie in a file: length (4 bytes), checksum (4), sequence (8), content. The checksum covers all of the rest, so that a
 * wrong length or number shows as well.
 */
final class Frames {
    static final int HEAD_BYTES = 16;
    private static final int CHECKSUM_AT = 4;
    private static final int SEQUENCE_AT = 8;

    private Frames() {}

    static void put(ByteBuffer into, long sequence, ByteBuffer content) {
        into.putInt(content.remaining())
                .putInt(checksum(content.remaining(), sequence, content.duplicate()))
                .putLong(sequence)
                .put(content.duplicate());
    }

    /** The record at this position; null if there is no whole one with a number above the given one. */
    static @Nullable SpoolRecord at(ByteBuffer file, int position, long after, int maxBytes) {
        if (file.limit() - position < HEAD_BYTES) {
            return null;
        }
        int length = file.getInt(position);
        long sequence = file.getLong(position + SEQUENCE_AT);
        if (length < 0 || length > maxBytes || length > file.limit() - position - HEAD_BYTES || sequence <= after) {
            return null;
        }
        ByteBuffer content = file.slice(position + HEAD_BYTES, length);
        if (file.getInt(position + CHECKSUM_AT) != checksum(length, sequence, content.duplicate())) {
            return null;
        }
        return new SpoolRecord(sequence, content);
    }

    static int sizeOf(SpoolRecord record) {
        return HEAD_BYTES + record.content().remaining();
    }

    private static int checksum(int length, long sequence, ByteBuffer content) {
        CRC32C crc = new CRC32C();
        crc.update(ByteBuffer.allocate(Integer.BYTES + Long.BYTES)
                .putInt(length)
                .putLong(sequence)
                .flip());
        crc.update(content);
        return (int) crc.getValue();
    }
}
