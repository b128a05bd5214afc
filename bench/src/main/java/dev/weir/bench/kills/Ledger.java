package dev.weir.bench.kills;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;

/**
 * Which events of an instance were begun and which were acknowledged to it, in memory mapped from a file: what a process has stored there
 * outlives it, however it ends. Each key belongs to one thread; acknowledgements may come on any.
 */
final class Ledger {
    /** Keys of one instance. */
    static final int KEYS = 4;

    private static final int CAPACITY = 1_000_000;
    private static final int ROW = Long.BYTES + CAPACITY;
    private static final byte ACKNOWLEDGED = 1;

    private final MappedByteBuffer memory;

    Ledger(Path file) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, (long) KEYS * ROW);
        }
    }

    static String keyName(int instance, int key) {
        return "instance-" + instance + "-key-" + key;
    }

    /** Notes that the key's next event is about to be published; answers its number, from 1 on. */
    int begin(int key) {
        int number = begun(key) + 1;
        if (number >= CAPACITY) {
            throw new IllegalStateException("A key has " + CAPACITY + " events; the run is too long.");
        }
        memory.putLong(key * ROW, number);
        return number;
    }

    void acknowledge(int key, int number) {
        memory.put(key * ROW + Long.BYTES + number, ACKNOWLEDGED);
    }

    int begun(int key) {
        return (int) memory.getLong(key * ROW);
    }

    Tally.Expected expected(int key) {
        BitSet acknowledged = new BitSet();
        int begun = begun(key);
        for (int number = 1; number <= begun; number++) {
            if (memory.get(key * ROW + Long.BYTES + number) == ACKNOWLEDGED) {
                acknowledged.set(number);
            }
        }
        return new Tally.Expected(begun, acknowledged);
    }
}
