package dev.weir.store.orders;

import dev.weir.store.catalog.Stock;
import dev.weir.store.catalog.Stock.Take;
import dev.weir.store.idempotency.IdempotencyKey;
import dev.weir.store.orders.NewOrder.Line;
import dev.weir.store.orders.OrderTable.Reservation;
import dev.weir.store.orders.OrderTable.Row;
import dev.weir.store.orders.Settlement.Change;
import dev.weir.store.payments.ChargeOutcome.Charged;
import dev.weir.store.payments.ChargeOutcome.Declined;
import dev.weir.store.payments.ChargeOutcome.Verdict;
import dev.weir.store.payments.ChargeOutcome.Withdrawn;
import dev.weir.store.problems.ProblemException;
import dev.weir.store.problems.ProblemType;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.stereotype.Component;

/**
 * The steps an order is placed in, for both ways to place one; each takes part in the caller's transaction.
 *
 * <p>The order's row comes first, with the client's key under a unique index; products follow in the order of their ids,
 * each by one conditional update. So nothing is oversold, and no two transactions wait for each other in a circle.
 *
 * <p>An attempt to pay has one charge key, about which the provider has one last word. Whoever learns it, writes it: the
 * request that asked, a later one with the same key, or the sweeper. The first to write settles the attempt and gives its
 * stock back where it was not paid; for the others the update of the row finds nothing to do, and they read what it became.
 */
@Component
class OrderBook {

    private static final Logger log = LoggerFactory.getLogger(OrderBook.class);

    private final OrderTable table;
    private final Stock stock;
    private final OrderNews news;

    OrderBook(OrderTable table, Stock stock, OrderNews news) {
        this.table = table;
        this.stock = stock;
        this.news = news;
    }

    /**
     * Begins an order, or goes on with the one of its key.
     *
     * @param reservation how long it may have its stock beyond this transaction; null for not at all
     */
    Opening open(NewOrder order, @Nullable IdempotencyKey key, @Nullable Duration reservation) {
        Optional<Row> opened = openRow(order, key, reservation);
        if (opened.isPresent()) {
            List<OrderItem> items = order.lines().stream().map(this::take).toList();
            table.addItems(opened.get().id(), items);
            return new Opening.Open(new Taken(opened.get(), items, false));
        }
        return resume(table.lock(Objects.requireNonNull(key)).orElseThrow(), order, reservation);
    }

    private Optional<Row> openRow(NewOrder order, @Nullable IdempotencyKey key, @Nullable Duration reservation) {
        try {
            return table.open(order, key, reservation);
        } catch (PessimisticLockingFailureException e) {
            throw OrderProblems.inProgress(e);
        }
    }

    private Opening resume(Row row, NewOrder order, @Nullable Duration reservation) {
        if (!order.fingerprint().equals(row.fingerprint())) {
            throw new ProblemException(
                    ProblemType.IDEMPOTENCY_KEY_REUSED,
                    "This Idempotency-Key was used for an order with another body: use a new key for a new order.");
        }
        List<OrderItem> items = table.items(row.id());
        return switch (row.status()) {
            case PAID, DECLINED ->
                new Opening.Known(placement(OrderTable.order(row, row.status(), items), row.declineReason(), true));
            case PENDING, UNCONFIRMED, CANCELLED ->
                isPlaced(row, reservation)
                        ? new Opening.InProgress()
                        : new Opening.Open(takeOn(row, items, order, reservation));
        };
    }

    /**
     * Whether somebody is at work on it whom this request must not pass. The sweeper it may: both ask for one word of the provider's. Not
     * without a reservation, whose stock is given back when the provider gives no answer, while the sweeper may still find the order paid.
     */
    private static boolean isPlaced(Row row, @Nullable Duration reservation) {
        return row.reservation() == Reservation.RUNNING
                && (row.status() != OrderStatus.UNCONFIRMED || reservation == null);
    }

    private Taken takeOn(Row row, List<OrderItem> items, NewOrder order, @Nullable Duration reservation) {
        if (row.reservation() == Reservation.NONE) {
            order.lines().forEach(this::take);
        }
        return new Taken(table.takeOn(row, reservation), items, row.status() != OrderStatus.CANCELLED);
    }

    private OrderItem take(Line line) {
        return switch (stock.take(line.productId(), line.quantity())) {
            case Take.Taken taken -> new OrderItem(line.productId(), line.quantity(), taken.unitPriceCents());
            case Take.NotEnough notEnough ->
                throw new ProblemException(
                                ProblemType.OUT_OF_STOCK,
                                "Of product " + line.productId() + " there are " + notEnough.left() + " left, not "
                                        + line.quantity() + ".")
                        .with("productId", line.productId())
                        .with("left", notEnough.left());
            case Take.NoSuchProduct none ->
                throw new ProblemException(
                                ProblemType.VALIDATION_FAILED,
                                "There is no product " + line.productId() + ": order products that exist.")
                        .with("productId", line.productId());
        };
    }

    /** Orders whose reservation is over, taken on for so long. */
    List<Taken> takeOnThoseOver(int most, Duration reservation) {
        return table.takeOnThoseOver(most, reservation).stream()
                .map(row -> new Taken(row, table.items(row.id()), true))
                .toList();
    }

    /** Writes the provider's last word. */
    Settlement settle(Taken taken, Verdict verdict) {
        return switch (verdict) {
            case Charged charged
            when charged.amountCents() != taken.totalCents() -> {
                log.error(
                        "The charge with key {} was made over {} cents, its order {} comes to {}",
                        taken.row().chargeKey(),
                        charged.amountCents(),
                        taken.row().id(),
                        taken.totalCents());
                yield settle(taken, OrderStatus.CANCELLED, null, null);
            }
            case Charged charged -> settle(taken, OrderStatus.PAID, charged.chargeId(), null);
            case Declined declined -> settle(taken, OrderStatus.DECLINED, null, declined.reason());
            case Withdrawn withdrawn -> settle(taken, OrderStatus.CANCELLED, null, OrderTable.WITHDRAWN);
        };
    }

    private Settlement settle(
            Taken taken, OrderStatus status, @Nullable String chargeId, @Nullable String declineReason) {
        Optional<Integer> event = table.settle(taken.row(), status, taken.totalCents(), chargeId, declineReason);
        if (event.isPresent() && status != OrderStatus.PAID) {
            giveBack(taken);
        }
        return settlement(taken, status, declineReason, event);
    }

    /** Leaves an order whose payment is not known with its stock, for whoever takes it on next. */
    Settlement suspend(Taken taken) {
        return settlement(taken, OrderStatus.UNCONFIRMED, null, table.suspend(taken.row(), taken.totalCents()));
    }

    /** Leaves an order whose payment is not known without its stock. */
    Settlement suspendWithoutStock(Taken taken) {
        return settle(taken, OrderStatus.UNCONFIRMED, null, null);
    }

    /** Gives up an order whose payment was certainly not made. */
    Settlement release(Taken taken) {
        Optional<Integer> event = table.release(taken.row(), taken.totalCents());
        if (event.isPresent()) {
            giveBack(taken);
        }
        return settlement(taken, OrderStatus.CANCELLED, null, event);
    }

    private Settlement settlement(
            Taken taken, OrderStatus status, @Nullable String declineReason, Optional<Integer> event) {
        if (event.isEmpty()) {
            Row row = table.row(taken.row().id());
            return Settlement.known(
                    placement(OrderTable.order(row, row.status(), taken.items()), row.declineReason(), false));
        }
        Change change = new Change(taken.as(status), event.get());
        news.changed(change);
        return new Settlement(placement(change.order(), declineReason, false), change);
    }

    private static Placement placement(Order order, @Nullable String declineReason, boolean replayed) {
        return switch (order.status()) {
            case PAID -> new Placement.Placed(order, replayed);
            case DECLINED -> new Placement.Declined(order, Objects.requireNonNull(declineReason), replayed);
            case CANCELLED -> new Placement.Cancelled(order);
            case PENDING, UNCONFIRMED -> new Placement.Unconfirmed(order, true);
        };
    }

    private void giveBack(Taken taken) {
        taken.items().forEach(item -> stock.giveBack(item.productId(), item.quantity()));
    }
}
