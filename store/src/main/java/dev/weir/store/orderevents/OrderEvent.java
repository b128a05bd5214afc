package dev.weir.store.orderevents;

import dev.weir.core.publish.Event;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
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

    private static final Pattern STATUS = Pattern.compile("[A-Z_]{1,40}");
    private static final Instant FIRST = Instant.parse("2000-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999Z");

    /**
     * Checks what a database would refuse: such an event would stand in the way of all behind it.
     *
     * @throws IllegalArgumentException if it is no event that a store sends
     */
    public OrderEvent {
        require(sequence >= 1, "sequence", sequence, "1 or more");
        require(
                STATUS.matcher(status).matches(),
                "status",
                status.length() + " characters long",
                "1 to 40 capital letters or _");
        require(!at.isBefore(FIRST) && !at.isAfter(LAST), "at", at, "a time from the year 2000 to 9999");
        items = List.copyOf(items);
    }

    private static void require(boolean right, String name, Object given, String allowed) {
        if (!right) {
            throw new IllegalArgumentException(name + " is " + given + "; allowed is " + allowed + ".");
        }
    }

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
