package dev.weir.core.shed;

/** How an admitted request ended, as far as it tells about the service's capacity. */
public enum Completion {
    /** Its latency and its number count. */
    SUCCESS,
    /** Says nothing about capacity: a health check, a cache hit, a client that went away. */
    IGNORED,
    /** Ended by overload further down: a timeout, a full pool, a refusal. Its latency does not count, that it happened does. */
    DROPPED
}
