package dev.weir.store.orders;

import java.util.List;

/**
 * An order whose stock is taken and whose payment is to be asked for.
 *
 * @param items at the prices of its first try, which the provider may have charged
 * @param resumed whether its charge key may have been asked for before
 */
record Taken(OrderTable.Row row, List<OrderItem> items, boolean resumed) {

    long totalCents() {
        return items.stream().mapToLong(OrderItem::totalCents).sum();
    }

    Order as(OrderStatus status) {
        return OrderTable.order(row, status, items);
    }
}
