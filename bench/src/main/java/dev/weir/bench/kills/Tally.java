package dev.weir.bench.kills;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Holds what a topic has against what should be there. The events of each key are numbered from 1 in the order of their commits or calls,
 * so the order of first appearances must be rising.
 */
final class Tally {

    /**
     * What should be there of a key.
     *
     * @param begun events numbered up to here may be there
     * @param acknowledged those of these numbers must
     */
    record Expected(int begun, BitSet acknowledged) {
        /** All up to this number. */
        static Expected all(int committed) {
            BitSet numbers = new BitSet();
            numbers.set(1, committed + 1);
            return new Expected(committed, numbers);
        }
    }

    /**
     * What was found.
     *
     * @param acknowledged events that the service relied on
     * @param lost of these, not there
     * @param outOfOrder first appearances behind a later event of their key
     * @param phantoms events that were never to be: of a transaction that was rolled back, or never begun
     * @param repeated appearances after the first
     * @param delivered events that are there, each counted once
     */
    record Findings(long acknowledged, long lost, long outOfOrder, long phantoms, long repeated, long delivered) {
        boolean holds() {
            return lost == 0 && outOfOrder == 0 && phantoms == 0;
        }
    }

    private static final class Key {
        private final BitSet seen = new BitSet();
        private final Map<Integer, UUID> ids = new HashMap<>();
        private int highest;
    }

    private final Map<String, Key> keys = new HashMap<>();
    private long outOfOrder;
    private long phantoms;
    private long repeated;

    /** The next event of the topic, in the order of its partition. */
    void saw(String name, int number, @Nullable UUID id) {
        Key key = keys.computeIfAbsent(name, ignored -> new Key());
        if (key.seen.get(number)) {
            sawAgain(key, number, id);
            return;
        }
        key.seen.set(number);
        if (id != null) {
            key.ids.put(number, id);
        }
        if (number < key.highest) {
            outOfOrder++;
        }
        key.highest = Math.max(key.highest, number);
    }

    /** A number is drawn again after a rollback, with another id: one of the two should not be there. */
    private void sawAgain(Key key, int number, @Nullable UUID id) {
        if (id != null && !id.equals(key.ids.get(number))) {
            phantoms++;
        } else {
            repeated++;
        }
    }

    /** An event that says itself that its transaction was rolled back. */
    void sawRolledBack() {
        phantoms++;
    }

    Findings against(Map<String, Expected> expected) {
        long acknowledged = 0;
        long lost = 0;
        for (Map.Entry<String, Expected> each : expected.entrySet()) {
            BitSet missing = (BitSet) each.getValue().acknowledged().clone();
            acknowledged += missing.cardinality();
            missing.andNot(seen(each.getKey()));
            lost += missing.cardinality();
        }
        long delivered = 0;
        long invented = 0;
        for (Map.Entry<String, Key> each : keys.entrySet()) {
            BitSet beyond = (BitSet) each.getValue().seen.clone();
            delivered += beyond.cardinality();
            Expected known = expected.get(each.getKey());
            beyond.clear(0, known == null ? 0 : known.begun() + 1);
            invented += beyond.cardinality();
        }
        return new Findings(acknowledged, lost, outOfOrder, phantoms + invented, repeated, delivered);
    }

    private BitSet seen(String key) {
        Key found = keys.get(key);
        return found == null ? new BitSet() : found.seen;
    }
}
