package dev.weir.core.outbox;

import dev.weir.core.publish.Event;

/** Work deferred until after a commit. Runs at least once: a crash between the work and the removal of its event repeats it. */
@FunctionalInterface
public interface EventHandler {

    /**
     * Does the work.
     *
     * @throws Exception if it failed; it is tried again, and parked after its attempts
     */
    void handle(Event event) throws Exception;
}
