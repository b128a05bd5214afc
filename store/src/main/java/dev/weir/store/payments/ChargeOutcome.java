package dev.weir.store.payments;

import java.time.Duration;

/** What the store knows after it asked for a charge. */
public sealed interface ChargeOutcome {

    /**
     * The customer has paid.
     *
     * @param amountCents what was charged; that of the first call when the key had been used before
     */
    record Charged(String chargeId, long amountCents) implements ChargeOutcome {}

    /**
     * The customer has not paid, and asking again changes nothing.
     *
     * @param reason the provider's word for it
     */
    record Declined(String reason) implements ChargeOutcome {}

    /**
     * The provider takes no more calls at present; nothing was charged.
     *
     * @param retryAfter when it will
     */
    record Busy(Duration retryAfter) implements ChargeOutcome {}

    /** No connection could be made; nothing was charged. */
    record Unreachable() implements ChargeOutcome {}

    /**
     * The call was sent and got no usable answer: it may have been charged or not. Asking again with the same key finds
     * out.
     *
     * @param timeout whether the answer did not come in time; else the provider failed
     */
    record Unconfirmed(boolean timeout) implements ChargeOutcome {}
}
