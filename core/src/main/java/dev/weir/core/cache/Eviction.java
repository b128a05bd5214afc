package dev.weir.core.cache;

/** How an eviction ended. Either way this node does not answer with the old value any more. */
public enum Eviction {
    /**
     * Redis has dropped the value and the other nodes drop theirs within the staleness bound; of a strict cache they have
     * done so already.
     */
    DELIVERED,
    /** Redis could not be reached; the eviction is kept and delivered when it can be. */
    DEFERRED
}
