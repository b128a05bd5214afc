package dev.weir.store.orderevents;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * When the event of a changed order is sent.
 *
 * @param events the switch; without Kafka nothing is sent
 */
@ConfigurationProperties("store.orders")
record OrderEventSettings(When events) {

    /** For whom it waits. */
    enum When {
        /** By the request, after its commit. */
        IN_LINE,
        /** By the relay of an outbox that the order's transaction writes. */
        DEFERRED
    }
}
