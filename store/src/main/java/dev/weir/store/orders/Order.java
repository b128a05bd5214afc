package dev.weir.store.orders;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** An order as it is answered. */
record Order(UUID id, long customerId, OrderStatus status, List<OrderItem> items, long totalCents, Instant createdAt) {}
