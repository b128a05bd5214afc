package dev.weir.store.totals;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * When a paid order is added to the totals of its day.
 *
 * @param totals the switch
 */
@ConfigurationProperties("store.orders")
record TotalsSettings(When totals) {

    /** In which transaction. */
    enum When {
        /** In the order's, by an update of the day's row. */
        IN_LINE,
        /** In one of a batch of orders, after the order's has committed. */
        DEFERRED
    }
}
