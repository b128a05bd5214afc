package dev.weir.starter.defer;

import dev.weir.core.outbox.EventHandler;
import dev.weir.core.publish.Event;

/**
 * Takes a part of the caller's context along with a deferred call, in the headers of its event. Every bean of this type is used; Weir's own
 * take trace, locale and the name of the user. (What best effort takes along is {@link dev.weir.core.defer.ContextCarrier}.)
 */
public interface EventContext {

    /** The event with what the calling thread has; the same where it has nothing. What it throws reaches the caller of the deferred method. */
    Event capture(Event event);

    /** A handler that sets what an event's headers hold, runs the given one, and leaves its thread as it was. */
    EventHandler restore(EventHandler handler);
}
