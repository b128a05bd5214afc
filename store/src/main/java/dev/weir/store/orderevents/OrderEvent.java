package dev.weir.store.orderevents;

import dev.weir.core.publish.Event;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * An order's status has changed. Carries the whole order, so a reader that missed an earlier event has all it needs.
 *
 * @param sequence 1 for the first event of an order, one more for each further one
 * @param status the new status
 * @param items each product once
 * @param at when it changed, by the clock of the store that changed it
 */
public record OrderEvent(
        UUID orderId, int sequence, String status, long customerId, List<Item> items, long totalCents, Instant at) {

    /** Where these events go, keyed by the order's id. */
    public static final String TOPIC = "order-events";

    private static final JsonMapper JSON = JsonMapper.builder()
            // A newer store may tell more.
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    /** One product. */
    public record Item(long productId, int quantity, long unitPriceCents) {}

    /**
     * Reads what {@link #toEvent()} wrote.
     *
     * @throws IOException if these bytes are no such event
     */
    public static OrderEvent read(byte[] json) throws IOException {
        try {
            return JSON.readValue(json, OrderEvent.class);
        } catch (JacksonException e) {
            throw new IOException("Not an order's event: " + e.getOriginalMessage(), e);
        }
    }

    /** As it is published: JSON under the order's id. */
    Event toEvent() {
        return Event.of(TOPIC, orderId.toString(), JSON.writeValueAsBytes(this));
    }
}
