package dev.weir.store.audit;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * When the audit line and the facts of an order are written.
 *
 * @param audit the switch
 */
@ConfigurationProperties("store.orders")
record TrailSettings(When audit) {

    /** For whom they wait. */
    enum When {
        /** In the order's transaction. */
        IN_LINE,
        /** After it, or not at all where there is no room. */
        BEST_EFFORT
    }
}
