package dev.weir.core.outbox;

import java.time.Duration;
import java.util.List;

/** Where a relay delivers to. Used by the relay's thread, one batch at a time unless it {@link #overlaps}. */
public interface Target extends AutoCloseable {

    /**
     * Begins to deliver. Events of equal {@link StoredEvent#keyHash} must be delivered in their order; once one of them fails or is
     * postponed, later ones should be postponed too.
     */
    Batch begin(List<StoredEvent> events);

    /**
     * Whether batches may be begun while others are under way. The relay then begins one for each key, and none for a key whose last one
     * has not ended, so that slow work holds up its own key alone.
     */
    default boolean overlaps() {
        return false;
    }

    /** Gives up what is under way and frees everything. */
    @Override
    void close();

    /** A batch under way. */
    interface Batch {
        /** Waits for the end of all events; false if this time was over before. */
        boolean await(Duration atMost) throws InterruptedException;

        /** Stops delivering at once, because another instance may own the events now; what has not ended is postponed. */
        void abort();

        /** How each event ended, in the order they were given; what has not ended is postponed. */
        List<Outcome> outcomes();
    }
}
