package dev.weir.store.orders;

/** How far an order has come. */
enum OrderStatus {
    /** Being placed; where other transactions see it, its stock is taken for it until its payment is settled. */
    PENDING,
    /** Charged; the stock is taken. */
    PAID,
    /** The provider refused the payment; the stock was given back. */
    DECLINED,
    /**
     * The provider gave no usable answer. Held stock was given back until the same key comes again; a reservation stays
     * until the payment is found or withdrawn.
     */
    UNCONFIRMED,
    /** Nothing was charged and the stock was given back; the same key tries anew. */
    CANCELLED
}
