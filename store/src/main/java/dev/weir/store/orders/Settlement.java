package dev.weir.store.orders;

import dev.weir.store.payments.ChargeOutcome.Unconfirmed;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction has made of an order.
 *
 * @param change what others are to hear of it once it is committed; null where it changed nothing
 */
record Settlement(Placement placement, @Nullable Change change) {

    /**
     * An order's new status.
     *
     * @param sequence the number of the event about it
     */
    record Change(Order order, int sequence) {}

    static Settlement known(Placement placement) {
        return new Settlement(placement, null);
    }

    /** The same where the provider gave no usable answer, and nobody has found out since. */
    Settlement as(Unconfirmed unconfirmed) {
        return placement instanceof Placement.Unconfirmed
                ? new Settlement(new Placement.Unconfirmed(placement.order(), unconfirmed.timeout()), change)
                : this;
    }
}
