package dev.weir.core.defer;

/** Takes the context of a request (trace, locale, identity) along to the thread where its deferred work runs. */
@FunctionalInterface
public interface ContextCarrier {

    /**
     * A task that sets the calling thread's context, runs the given one, and leaves its thread as it was. Called on the thread that
     * defers; what it throws reaches the caller.
     */
    Runnable carry(Runnable task);

    /** Takes nothing along. */
    static ContextCarrier none() {
        return task -> task;
    }
}
