package dev.weir.store.payments;

import dev.weir.store.text.StoredText;
import java.time.Duration;

/** What the store knows after it asked for a charge, or for its withdrawal. */
public sealed interface ChargeOutcome {

    /** The provider's last word about a key: asking again with it brings the same. */
    sealed interface Verdict extends ChargeOutcome {}

    /**
     * The customer has paid.
     *
     * @param chargeId the provider's name for it, as the database takes it
     * @param amountCents what was charged; that of the first call when the key had been used before
     */
    record Charged(String chargeId, long amountCents) implements Verdict {

        public Charged {
            chargeId = StoredText.of(chargeId);
        }
    }

    /**
     * The customer has not paid.
     *
     * @param reason the provider's word for it, as the database takes it
     */
    record Declined(String reason) implements Verdict {

        public Declined {
            reason = StoredText.of(reason);
        }
    }

    /** The key was withdrawn before it was charged, and never will be. */
    record Withdrawn() implements Verdict {}

    /** The provider did nothing in this call; an earlier one with the same key may have been charged. */
    sealed interface Untried extends ChargeOutcome {}

    /**
     * The provider takes no more calls at present.
     *
     * @param retryAfter when it will
     */
    record Busy(Duration retryAfter) implements Untried {}

    /** No connection could be made. */
    record Unreachable() implements Untried {}

    /**
     * The call was sent and got no usable answer: it may have been charged or not. Asking again with the same key finds
     * out.
     *
     * @param timeout whether the answer did not come in time; else the provider failed
     */
    record Unconfirmed(boolean timeout) implements ChargeOutcome {}
}
