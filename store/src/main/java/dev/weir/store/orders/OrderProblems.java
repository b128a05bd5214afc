package dev.weir.store.orders;

import dev.weir.store.payments.ChargeOutcome;
import dev.weir.store.payments.ChargeOutcome.Busy;
import dev.weir.store.payments.ChargeOutcome.Unreachable;
import dev.weir.store.problems.ProblemException;
import dev.weir.store.problems.ProblemType;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a client is told when its order cannot be placed, in both ways to place one. */
final class OrderProblems {

    private static final String EARLIER_TRY =
            ", and an earlier try of this order may have been charged: send the same request"
                    + " with the same Idempotency-Key again later, it is charged at most once.";

    private OrderProblems() {}

    static ProblemException inProgress(@Nullable Throwable cause) {
        return new ProblemException(
                        ProblemType.REQUEST_IN_PROGRESS,
                        "An earlier request with this Idempotency-Key has not ended yet: send it again later.",
                        cause)
                .retryAfter(Duration.ofSeconds(5));
    }

    /** The request's thread was interrupted while it waited, as at the end of the store; nothing was asked for yet. */
    static ProblemException interrupted() {
        return new ProblemException(
                        ProblemType.OVERLOADED,
                        "The store was told to stop while the order waited for its turn: nothing was charged and nothing ordered by"
                                + " this request, send it again.")
                .retryAfter(Duration.ofSeconds(1));
    }

    /** @param resumed whether an earlier try of this order may have been charged */
    static ProblemException untried(ChargeOutcome.Untried outcome, boolean resumed) {
        return switch (outcome) {
            case Busy busy ->
                new ProblemException(
                                ProblemType.PROVIDER_BUSY,
                                "The payment provider takes no more payments at present"
                                        + (resumed ? EARLIER_TRY : ": order again later."))
                        .retryAfter(busy.retryAfter());
            case Unreachable unreachable ->
                new ProblemException(
                        ProblemType.PROVIDER_FAILED,
                        "The payment provider cannot be reached"
                                + (resumed ? EARLIER_TRY : "; nothing was charged and nothing ordered."));
        };
    }

    /** An earlier try was charged and died before its commit, and a price has changed since. */
    static ProblemException mismatch(Taken taken, long chargedCents) {
        return new ProblemException(
                        ProblemType.PAYMENT_MISMATCH,
                        "An earlier try with this Idempotency-Key was charged " + chargedCents
                                + " cents, the order now comes to " + taken.totalCents()
                                + ": nothing was ordered, ask for a refund and use a new key.")
                .with("chargedCents", chargedCents);
    }
}
