package dev.weir.store.audit;

import java.util.List;
import java.util.UUID;

/**
 * What is kept of a settled order.
 *
 * @param status the order's new status
 * @param sales what was sold; empty unless it was paid
 */
public record TrailEntry(UUID orderId, long customerId, String status, List<Sale> sales) {

    /** One product of an order. */
    public record Sale(long productId, int quantity, long totalCents) {}
}
