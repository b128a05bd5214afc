package dev.weir.store.gateway;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

/**
 * Which records of each partition are done with, although they end in any order: what may be committed to Kafka is the lowest that is
 * not. Not safe for several threads.
 */
final class OffsetLedger {

    private static final class Partition {

        final TreeSet<Long> open = new TreeSet<>();
        long next = -1;

        long committable() {
            return open.isEmpty() ? next : open.first();
        }
    }

    private final Map<Integer, Partition> partitions = new HashMap<>();

    /** A record was read; a second time changes nothing. */
    void read(int partition, long offset) {
        Partition known = partitions.computeIfAbsent(partition, unseen -> new Partition());
        if (offset >= known.next) {
            known.open.add(offset);
            known.next = offset + 1;
        }
    }

    /** A record is done with. */
    void done(int partition, long offset) {
        Partition known = partitions.get(partition);
        if (known != null) {
            known.open.remove(offset);
        }
    }

    /** Forgets a partition that is another reader's now. */
    void forget(int partition) {
        partitions.remove(partition);
    }

    /** The offset each partition is to be read from after a restart. */
    Map<Integer, Long> committable() {
        Map<Integer, Long> offsets = new HashMap<>();
        partitions.forEach((partition, known) -> offsets.put(partition, known.committable()));
        return offsets;
    }
}
