package dev.weir.store.orders;

import dev.weir.store.catalog.Stock;
import dev.weir.store.catalog.Stock.Take;
import dev.weir.store.orders.NewOrder.Line;
import dev.weir.store.orders.Placement.Declined;
import dev.weir.store.orders.Placement.Placed;
import dev.weir.store.orders.Placement.Unconfirmed;
import dev.weir.store.payments.ChargeOutcome;
import dev.weir.store.payments.PaymentProvider;
import dev.weir.store.problems.ProblemException;
import dev.weir.store.problems.ProblemType;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionOperations;

/**
 * Places orders, in the stock form: one transaction holds its connection and the rows of its products while the payment
 * provider is asked.
 *
 * <p>Why that is slow and still right. The order's row comes first, with the key under a unique index: a second request
 * with the same key waits there until the first has committed, then finds its result. Products follow in the order of
 * their ids, each by one conditional update, so nothing is oversold and no two orders wait for each other. A process
 * that dies before the commit leaves neither order nor stock behind, only perhaps a charge; it was made under a key that
 * comes from the client's, so the client's next try finds that charge instead of making another.
 *
 * <p>What it cannot do: an order without a key whose answer is lost is charged again when it is sent again.
 */
@Service
class Orders {

    private static final Logger log = LoggerFactory.getLogger(Orders.class);

    private final OrderTable table;
    private final Stock stock;
    private final PaymentProvider payments;
    private final TransactionOperations transactions;

    Orders(OrderTable table, Stock stock, PaymentProvider payments, TransactionOperations transactions) {
        this.table = table;
        this.stock = stock;
        this.payments = payments;
        this.transactions = transactions;
    }

    Optional<Order> find(UUID id) {
        return table.find(id);
    }

    /** Places the order, or answers what an earlier request with this key has led to. */
    Placement place(NewOrder order, @Nullable IdempotencyKey key) {
        return Objects.requireNonNull(transactions.execute(status -> placeOnce(order, key)));
    }

    private Placement placeOnce(NewOrder order, @Nullable IdempotencyKey key) {
        Optional<OrderTable.Row> opened = open(order, key);
        if (opened.isPresent()) {
            return placeNew(opened.get(), order, key);
        }
        IdempotencyKey used = Objects.requireNonNull(key);
        return resume(table.lock(used).orElseThrow(), order, used);
    }

    private Optional<OrderTable.Row> open(NewOrder order, @Nullable IdempotencyKey key) {
        try {
            return table.open(order, key);
        } catch (PessimisticLockingFailureException e) {
            throw new ProblemException(
                            ProblemType.REQUEST_IN_PROGRESS,
                            "An earlier request with this Idempotency-Key has not ended yet: send it again later.",
                            e)
                    .retryAfter(Duration.ofSeconds(5));
        }
    }

    private Placement placeNew(OrderTable.Row row, NewOrder order, @Nullable IdempotencyKey key) {
        List<OrderItem> items = order.lines().stream().map(this::take).toList();
        table.addItems(row.id(), items);
        return charge(row, items, key);
    }

    private Placement resume(OrderTable.Row row, NewOrder order, IdempotencyKey key) {
        if (!order.fingerprint().equals(row.fingerprint())) {
            throw new ProblemException(
                    ProblemType.IDEMPOTENCY_KEY_REUSED,
                    "This Idempotency-Key was used for an order with another body: use a new key for a new order.");
        }
        List<OrderItem> items = table.items(row.id());
        return switch (row.status()) {
            case PAID -> new Placed(OrderTable.order(row, row.status(), items), true);
            case DECLINED ->
                new Declined(
                        OrderTable.order(row, row.status(), items), Objects.requireNonNull(row.declineReason()), true);
            case PENDING, UNCONFIRMED -> {
                // At the prices of the first try: that is the amount the provider may have charged.
                order.lines().forEach(this::take);
                yield charge(row, items, key);
            }
        };
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

    private Placement charge(OrderTable.Row row, List<OrderItem> items, @Nullable IdempotencyKey key) {
        long totalCents = items.stream().mapToLong(OrderItem::totalCents).sum();
        String chargeKey = key == null ? "order-" + row.id() : "key-" + key.value();
        return switch (payments.charge(chargeKey, totalCents)) {
            case ChargeOutcome.Charged charged -> paid(row, items, totalCents, chargeKey, charged);
            case ChargeOutcome.Declined declined -> {
                giveBack(items);
                table.close(row.id(), OrderStatus.DECLINED, totalCents, null, declined.reason());
                yield new Declined(OrderTable.order(row, OrderStatus.DECLINED, items), declined.reason(), false);
            }
            case ChargeOutcome.Unconfirmed unconfirmed -> {
                giveBack(items);
                table.close(row.id(), OrderStatus.UNCONFIRMED, totalCents, null, null);
                log.error(
                        "Order {} over {} cents: the charge with key {} is unconfirmed",
                        row.id(),
                        totalCents,
                        chargeKey);
                yield new Unconfirmed(OrderTable.order(row, OrderStatus.UNCONFIRMED, items), unconfirmed.timeout());
            }
            case ChargeOutcome.Busy busy ->
                throw new ProblemException(
                                ProblemType.PROVIDER_BUSY,
                                "The payment provider takes no more payments at present: order again later.")
                        .retryAfter(busy.retryAfter());
            case ChargeOutcome.Unreachable unreachable ->
                throw new ProblemException(
                        ProblemType.PROVIDER_FAILED,
                        "The payment provider cannot be reached; nothing was charged and nothing ordered.");
        };
    }

    private Placement paid(
            OrderTable.Row row,
            List<OrderItem> items,
            long totalCents,
            String chargeKey,
            ChargeOutcome.Charged charged) {
        if (charged.amountCents() != totalCents) {
            // An earlier try was charged and died before its commit, and a price has changed since.
            log.error(
                    "The charge with key {} was made over {} cents, its order now comes to {}",
                    chargeKey,
                    charged.amountCents(),
                    totalCents);
            throw new ProblemException(
                            ProblemType.PAYMENT_MISMATCH,
                            "An earlier try with this Idempotency-Key was charged " + charged.amountCents()
                                    + " cents, the order now comes to " + totalCents
                                    + ": nothing was ordered, ask for a refund and use a new key.")
                    .with("chargedCents", charged.amountCents());
        }
        table.close(row.id(), OrderStatus.PAID, totalCents, charged.chargeId(), null);
        return new Placed(OrderTable.order(row, OrderStatus.PAID, items), false);
    }

    private void giveBack(List<OrderItem> items) {
        items.forEach(item -> stock.giveBack(item.productId(), item.quantity()));
    }
}
