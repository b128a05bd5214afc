package dev.weir.bench.cache;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The database of the run, in memory that several JVMs of one machine share: each key's version, and when the eviction of
 * the version before it had returned. Times are {@link System#nanoTime}, which is one clock for all processes on Linux.
 */
final class Truth {
    static final int KEYS = 8;

    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final int CAPACITY = 100_000;
    private static final int HEAD = 8;
    private static final int STOP = 0;
    private static final int READY = 1;
    private static final int GO = 2;
    private static final int LOADS = 3; // and one more for the second node

    private final ByteBuffer memory;

    Truth(Path file) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            this.memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, 8L * (HEAD + (long) KEYS * (CAPACITY + 1)))
                    .order(ByteOrder.nativeOrder());
        }
    }

    long version(int key) {
        return get(row(key));
    }

    /** False when there is no room for more versions. */
    boolean commit(int key, long version) {
        if (version >= CAPACITY) {
            return false;
        }
        set(row(key), version);
        return true;
    }

    void evicted(int key, long version, long nanos) {
        set(row(key) + 1 + (int) version, nanos);
    }

    /** When the eviction after this version's commit had returned; 0 if it has not. */
    long evictedNanos(int key, long version) {
        return version >= CAPACITY ? 0 : get(row(key) + 1 + (int) version);
    }

    boolean stopped() {
        return get(STOP) != 0;
    }

    void stop() {
        set(STOP, 1);
    }

    void ready() {
        add(READY);
    }

    long readyNodes() {
        return get(READY);
    }

    void go() {
        set(GO, 1);
    }

    boolean gone() {
        return get(GO) != 0;
    }

    /** Counts a call of the loader by node 0 or 1. */
    void loaded(int node) {
        add(LOADS + node);
    }

    long loads(int node) {
        return get(LOADS + node);
    }

    private static int row(int key) {
        return HEAD + key * (CAPACITY + 1);
    }

    private long get(int index) {
        return (long) LONGS.getVolatile(memory, 8 * index);
    }

    private void set(int index, long value) {
        LONGS.setVolatile(memory, 8 * index, value);
    }

    private void add(int index) {
        long ignored = (long) LONGS.getAndAdd(memory, 8 * index, 1L);
        assert ignored >= 0;
    }
}
