package dev.weir.store.orders;

import dev.weir.store.idempotency.IdempotencyKey;
import dev.weir.store.payments.PaymentProvider;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionOperations;

/** Orders as the controller sees them, placed the way the settings say. */
@Service
class Orders {

    private final OrderTable table;
    private final Placing placing;

    Orders(
            OrderTable table,
            OrderBook book,
            OrderNews news,
            PaymentProvider payments,
            TransactionOperations transactions,
            OrderSettings settings) {
        this.table = table;
        this.placing = switch (settings.stock()) {
            case HELD -> new HeldPlacing(book, news, payments, transactions);
            case RESERVED -> new ReservedPlacing(book, news, payments, transactions, settings);
        };
    }

    Optional<Order> find(UUID id) {
        return table.find(id);
    }

    /** Places the order, or answers what an earlier request with this key has led to. */
    Placement place(NewOrder order, @Nullable IdempotencyKey key) {
        return placing.place(order, key);
    }
}
