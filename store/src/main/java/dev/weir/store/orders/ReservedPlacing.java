package dev.weir.store.orders;

import dev.weir.store.idempotency.IdempotencyKey;
import dev.weir.store.payments.ChargeOutcome;
import dev.weir.store.payments.ChargeOutcome.Charged;
import dev.weir.store.payments.ChargeOutcome.Unconfirmed;
import dev.weir.store.payments.ChargeOutcome.Untried;
import dev.weir.store.payments.ChargeOutcome.Verdict;
import dev.weir.store.payments.PaymentProvider;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionOperations;

/**
 * Places an order in two short transactions with the payment between them: one takes the stock and commits the order with a
 * reservation, one settles it. Neither a connection nor a row is held while the payment provider is asked.
 *
 * <p>What may happen in between. The process dies, or its second transaction fails: the reservation runs out, and the
 * {@link Sweeper} finds the charge and settles the order, or withdraws its key and gives the stock back. The provider gives
 * no usable answer: the reservation ends at once, with the same consequence, unless the client's next try comes first and
 * asks again under the same key. The process freezes and goes on after others have settled the order: it finds what they
 * made of it, since its key has only one outcome (see {@link OrderBook}).
 *
 * <p>Orders of one product line up before they take a connection ({@link ProductLines}).
 *
 * <p>A second request with the same key looks every now and then until the first has ended, with no connection meanwhile.
 */
final class ReservedPlacing implements Placing {

    private static final Duration LOOK_INTERVAL = Duration.ofMillis(25);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final OrderBook book;
    private final OrderNews news;
    private final PaymentProvider payments;
    private final TransactionOperations transactions;
    private final OrderSettings settings;
    private final ProductLines lines = new ProductLines(PATIENCE);

    ReservedPlacing(
            OrderBook book,
            OrderNews news,
            PaymentProvider payments,
            TransactionOperations transactions,
            OrderSettings settings) {
        this.book = book;
        this.news = news;
        this.payments = payments;
        this.transactions = transactions;
        this.settings = settings;
    }

    @Override
    public Placement place(NewOrder order, @Nullable IdempotencyKey key) {
        return switch (open(order, key)) {
            case Opening.Known known -> known.placement();
            case Opening.InProgress inProgress -> throw OrderProblems.inProgress(null);
            case Opening.Open open -> charge(open.taken());
        };
    }

    private Opening open(NewOrder order, @Nullable IdempotencyKey key) {
        long endNanos = System.nanoTime() + settings.keyWait().toNanos();
        Opening opening = openOnce(order, key);
        while (opening instanceof Opening.InProgress && System.nanoTime() - endNanos < 0) {
            try {
                Thread.sleep(LOOK_INTERVAL);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw OrderProblems.interrupted();
            }
            opening = openOnce(order, key);
        }
        return opening;
    }

    private Opening openOnce(NewOrder order, @Nullable IdempotencyKey key) {
        return lines.inTurn(
                order,
                () -> Objects.requireNonNull(
                        transactions.execute(status -> book.open(order, key, settings.reservation()))));
    }

    private Placement charge(Taken taken) {
        ChargeOutcome outcome = payments.charge(taken.row().chargeKey(), taken.totalCents());
        Settlement settlement = Objects.requireNonNull(transactions.execute(status -> settle(taken, outcome)));
        news.committed(settlement);
        // Otherwise somebody else has taken the order on meanwhile, and knows more.
        if (outcome instanceof Untried untried && settlement.change() != null) {
            throw OrderProblems.untried(untried, taken.resumed());
        }
        if (outcome instanceof Charged charged && charged.amountCents() != taken.totalCents()) {
            throw OrderProblems.mismatch(taken, charged.amountCents());
        }
        return settlement.placement();
    }

    private Settlement settle(Taken taken, ChargeOutcome outcome) {
        return switch (outcome) {
            case Verdict verdict -> book.settle(taken, verdict);
            case Untried untried -> taken.resumed() ? book.suspend(taken) : book.release(taken);
            case Unconfirmed unconfirmed -> book.suspend(taken).as(unconfirmed);
        };
    }
}
