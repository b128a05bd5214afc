package dev.weir.store.gateway;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The messages an instance has read and not seen the end of, and from where their partitions are to be read again. Not safe for several
 * threads.
 *
 * <p>What is under way while its partition goes to another instance stays, and is marked as lost; it is this instance's again where the same
 * record is read once more and has not ended.
 */
final class InHand {

    /**
     * A record that was read.
     *
     * @param message null where it holds none
     */
    record Arrived(int partition, long offset, @Nullable Outgoing message) {}

    private final OffsetLedger ledger = new OffsetLedger();
    private final Map<UUID, Held> held = new HashMap<>();
    private long repeated;

    /**
     * Takes a record, in the order of its partition.
     *
     * @param open whether its message has not ended
     * @return the message where it is to be sent; null where there is none, or it has ended or is in hand already
     */
    @Nullable
    Held take(Arrived record, boolean open) {
        ledger.read(record.partition(), record.offset());
        Outgoing message = record.message();
        if (message == null) {
            ledger.done(record.partition(), record.offset());
            return null;
        }
        Held earlier = held.get(message.id());
        if (open && earlier != null && earlier.isAt(record.partition(), record.offset())) {
            // Its message is under way: that one's end is this one's.
            earlier.lost = false;
            return null;
        }
        if (open && (earlier == null || earlier.lost)) {
            var taken = new Held(message, record.partition(), record.offset());
            held.put(message.id(), taken);
            return taken;
        }
        repeated++;
        ledger.done(record.partition(), record.offset());
        return null;
    }

    /** A message is not in hand any more, and its record is not done with. */
    boolean drop(Held gone) {
        return held.remove(gone.message().id(), gone);
    }

    /** A message has ended, and that is written down. */
    void done(Held ended) {
        drop(ended);
        ledger.done(ended.partition(), ended.offset());
    }

    /** What is in hand of these partitions is another instance's. */
    void lose(Set<Integer> partitions) {
        held.values().stream()
                .filter(each -> partitions.contains(each.partition()))
                .forEach(each -> each.lost = true);
    }

    boolean hasAnyOf(Set<Integer> partitions) {
        return held.values().stream().anyMatch(each -> partitions.contains(each.partition()));
    }

    /** Forgets from where these partitions are to be read. */
    void forget(Collection<Integer> partitions) {
        partitions.forEach(ledger::forget);
    }

    /** From where each partition is to be read after a restart. */
    Map<Integer, Long> committable() {
        return ledger.committable();
    }

    /** Records of messages that were in hand or had ended already. */
    long repeated() {
        return repeated;
    }
}
