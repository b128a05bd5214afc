package dev.weir.store.orders;

/** What became of an order that was tried; the first two are final for its key. */
sealed interface Placement {

    Order order();

    /**
     * Charged.
     *
     * @param replayed whether an earlier request with this key placed it
     */
    record Placed(Order order, boolean replayed) implements Placement {}

    /**
     * Refused by the provider.
     *
     * @param reason the provider's word for it
     * @param replayed whether an earlier request with this key was refused
     */
    record Declined(Order order, String reason, boolean replayed) implements Placement {}

    /**
     * The provider gave no usable answer.
     *
     * @param timeout whether it did not answer in time
     */
    record Unconfirmed(Order order, boolean timeout) implements Placement {}

    /** It took longer than its reservation, and was given up before it was charged. */
    record Cancelled(Order order) implements Placement {}
}
