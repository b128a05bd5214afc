package dev.weir.starter.defer;

import dev.weir.core.publish.Event;
import java.util.Optional;
import java.util.UUID;

/** The two tiers of work that need not be done before the answer, by call. Any thread may use it. */
public interface Deferred {

    /**
     * Defers an event to the bean of type {@link dev.weir.core.outbox.EventHandler} that is named as its topic, until the current
     * transaction has committed; answers the event's id.
     *
     * @throws IllegalArgumentException if there is no such handler, or the event is too large
     * @throws IllegalStateException if no transaction is active
     */
    UUID deferrable(Event event);

    /** Runs a task on a virtual thread soon, or drops and counts it; answers which. Never blocks. */
    boolean bestEffort(Runnable task);

    /**
     * The id of the deferred call that the calling thread runs: equal in every repetition, so that {@link
     * dev.weir.core.outbox.IdempotentHandler} can leave repetitions out. Empty elsewhere.
     */
    static Optional<UUID> eventId() {
        return Running.eventId();
    }
}
