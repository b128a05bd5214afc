package dev.weir.store.orders;

/** How far an order has come. */
enum OrderStatus {
    /** Being placed; other transactions never see it. */
    PENDING,
    /** Charged; the stock is taken. */
    PAID,
    /** The provider refused the payment; the stock was given back. */
    DECLINED,
    /** The provider gave no usable answer; the stock was given back until the same key comes again. */
    UNCONFIRMED
}
