package dev.weir.core.shed;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** Counts of what is not on the fast path: refusals, places not found, and ends that say nothing of capacity. */
final class Tally {

    private final List<LongAdder> refused = adders(RefusalReason.COUNT * Priority.COUNT);
    private final List<LongAdder> full = adders(Priority.COUNT);
    private final LongAdder ignored = new LongAdder();
    private final LongAdder dropped = new LongAdder();

    private static List<LongAdder> adders(int count) {
        List<LongAdder> adders = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            adders.add(new LongAdder());
        }
        return adders;
    }

    void countRefused(RefusalReason reason, Priority priority) {
        refused.get(reason.index() * Priority.COUNT + priority.index()).increment();
    }

    long refused(RefusalReason reason, Priority priority) {
        return refused.get(reason.index() * Priority.COUNT + priority.index()).sum();
    }

    /** Refused since the limit had no place, with or without a wait. */
    long refusedByLimit(Priority priority) {
        return refused(RefusalReason.LIMIT, priority)
                + refused(RefusalReason.QUEUE_FULL, priority)
                + refused(RefusalReason.QUEUE_TIMEOUT, priority);
    }

    /** Found no place at once. */
    void countFull(Priority priority) {
        full.get(priority.index()).increment();
    }

    /** How often somebody found no place at once. */
    long full() {
        return full.stream().mapToLong(LongAdder::sum).sum();
    }

    /** How often the limit or the gates held somebody up. */
    long heldUp() {
        long sum = full();
        for (int i = 0; i < Priority.COUNT; i++) {
            sum += refused(RefusalReason.COHORT, Priority.at(i));
        }
        return sum;
    }

    void countEnd(Completion completion) {
        switch (completion) {
            case SUCCESS -> {}
            case IGNORED -> ignored.increment();
            case DROPPED -> dropped.increment();
        }
    }

    long ignored() {
        return ignored.sum();
    }

    long dropped() {
        return dropped.sum();
    }
}
