package dev.weir.store.orders;

/** How a request for an order begins. */
sealed interface Opening {

    /** An earlier request with its key has led to this. */
    record Known(Placement placement) implements Opening {}

    /** An earlier request with its key is at work. */
    record InProgress() implements Opening {}

    /** It is this request's to go on with. */
    record Open(Taken taken) implements Opening {}
}
