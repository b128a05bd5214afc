package dev.weir.store.gateway;

/** Where the callback of a message stands. */
enum CallbackState {
    /** The message has not ended. */
    WAITING,
    /** Being delivered, or to be tried again. */
    PENDING,
    /** The client's server has confirmed it. */
    DELIVERED,
    /** Given up after its attempts, until it is asked for again. */
    PARKED
}
