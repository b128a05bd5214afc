package dev.weir.store.orders;

/**
 * One line of an order.
 *
 * @param unitPriceCents the price of one when the order was placed
 */
record OrderItem(long productId, int quantity, long unitPriceCents) {

    long totalCents() {
        return unitPriceCents * quantity;
    }
}
