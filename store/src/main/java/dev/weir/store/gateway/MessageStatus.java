package dev.weir.store.gateway;

/** Where a message stands. */
enum MessageStatus {
    /** Accepted, on disk, not sent yet. */
    QUEUED,
    /** The provider has taken it. */
    SENT,
    /** The provider will not take it, whatever is tried. */
    FAILED
}
