package dev.weir.store.orders;

import dev.weir.store.idempotency.IdempotencyKey;
import dev.weir.store.payments.ChargeOutcome.Charged;
import dev.weir.store.payments.ChargeOutcome.Unconfirmed;
import dev.weir.store.payments.ChargeOutcome.Untried;
import dev.weir.store.payments.ChargeOutcome.Verdict;
import dev.weir.store.payments.PaymentProvider;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionOperations;

/**
 * Places an order in one transaction, which holds its connection and the rows of its products while the payment provider
 * is asked.
 *
 * <p>Why that is slow and still right: a second request with the same key waits at the index until the first has committed,
 * then finds its result. A process that dies before the commit leaves neither order nor stock behind, only perhaps a charge;
 * it was made under a key that comes from the client's, so the client's next try finds that charge instead of making another.
 *
 * <p>What it cannot do: an order without a key whose answer is lost is charged again when it is sent again.
 */
final class HeldPlacing implements Placing {

    private static final Logger log = LoggerFactory.getLogger(HeldPlacing.class);

    private final OrderBook book;
    private final OrderNews news;
    private final PaymentProvider payments;
    private final TransactionOperations transactions;

    HeldPlacing(OrderBook book, OrderNews news, PaymentProvider payments, TransactionOperations transactions) {
        this.book = book;
        this.news = news;
        this.payments = payments;
        this.transactions = transactions;
    }

    @Override
    public Placement place(NewOrder order, @Nullable IdempotencyKey key) {
        Settlement settlement = Objects.requireNonNull(transactions.execute(status -> placeOnce(order, key)));
        news.committed(settlement);
        return settlement.placement();
    }

    private Settlement placeOnce(NewOrder order, @Nullable IdempotencyKey key) {
        return switch (book.open(order, key, null)) {
            case Opening.Known known -> Settlement.known(known.placement());
            case Opening.InProgress inProgress -> throw OrderProblems.inProgress(null);
            case Opening.Open open -> charge(open.taken());
        };
    }

    private Settlement charge(Taken taken) {
        return switch (payments.charge(taken.row().chargeKey(), taken.totalCents())) {
            case Charged charged
            when charged.amountCents() != taken.totalCents() ->
                throw OrderProblems.mismatch(taken, charged.amountCents());
            case Verdict verdict -> book.settle(taken, verdict);
            case Untried untried -> throw OrderProblems.untried(untried, taken.resumed());
            case Unconfirmed unconfirmed -> {
                log.error(
                        "Order {} over {} cents: the charge with key {} is unconfirmed",
                        taken.row().id(),
                        taken.totalCents(),
                        taken.row().chargeKey());
                yield book.suspendWithoutStock(taken).as(unconfirmed);
            }
        };
    }
}
