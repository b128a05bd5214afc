package dev.weir.starter.defer;

import dev.weir.core.outbox.EventHandler;
import dev.weir.core.publish.Event;
import java.util.Map;
import java.util.UUID;

/**
 * What {@link Deferrable} needs of an outbox. Declare a bean of this type to have another library stand in for Weir's.
 */
public interface DeferrableQueue {

    /**
     * Adds an event in the calling thread's transaction; answers its id. It is handled if and only if that commits.
     *
     * @throws IllegalStateException if no transaction is active
     */
    UUID add(Event event);

    /**
     * From now on handles events by their topic, at least once, each with the id that {@link #add} answered. Called once, when all beans
     * are made.
     */
    void handle(Map<String, EventHandler> handlers);
}
