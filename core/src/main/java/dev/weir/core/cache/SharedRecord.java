package dev.weir.core.cache;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What Redis holds under a key: one byte of type, 8 of epoch, 8 of id, 13 digits of guard (milliseconds of Redis's clock,
 * written and read only by the scripts), then the value's bytes. The first 17 bytes identify a record; a fill replaces only
 * the very record that its reader saw or left there.
 */
final class SharedRecord {
    static final byte VALUE = 'V';
    static final byte NOTHING = 'N';
    static final byte TOMBSTONE = 'T';
    static final byte LEASE = 'L';

    static final int IDENTITY_BYTES = 17;
    static final int HEAD_BYTES = IDENTITY_BYTES + 13;

    private final byte type;
    private final long epoch;
    private final long id;
    private final byte[] payload;

    private SharedRecord(byte type, long epoch, long id, byte[] payload) {
        this.type = type;
        this.epoch = epoch;
        this.id = id;
        this.payload = payload;
    }

    /** One of the types above. */
    byte type() {
        return type;
    }

    /** Of the cache when the record was made. */
    long epoch() {
        return epoch;
    }

    /** Of the fill, or the token of the lease. */
    long id() {
        return id;
    }

    /** The bytes after the head. */
    byte[] payload() {
        return payload;
    }

    /** The record, or null where the bytes are none. */
    static @Nullable SharedRecord parse(byte @Nullable [] bytes) {
        if (bytes == null || bytes.length < HEAD_BYTES) {
            return null;
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        return new SharedRecord(
                in.get(), in.getLong(), in.getLong(), Arrays.copyOfRange(bytes, HEAD_BYTES, bytes.length));
    }

    /**
     * The first bytes of a record.
     *
     * @param id of the fill, or the token of the lease
     */
    record Identity(byte type, long epoch, long id) {
        byte[] bytes() {
            return identity(type, epoch, id);
        }
    }

    static byte[] identity(byte type, long epoch, long id) {
        return ByteBuffer.allocate(IDENTITY_BYTES)
                .put(type)
                .putLong(epoch)
                .putLong(id)
                .array();
    }

    /** Whether it answers a read in this epoch. */
    boolean answers(long currentEpoch) {
        return epoch == currentEpoch && (type == VALUE || type == NOTHING);
    }
}
