package dev.weir.store.orderevents;

import dev.weir.core.outbox.Outbox;

/**
 * Writes the event into the outbox in the order's transaction; its relay brings it to Kafka, at least once and in order per
 * order, whatever dies or is away meanwhile.
 */
final class OutboxOrderEvents implements OrderEvents {

    private final Outbox outbox;

    OutboxOrderEvents(Outbox outbox) {
        this.outbox = outbox;
    }

    @Override
    public void changed(OrderEvent event) {
        outbox.add(event.toEvent());
    }

    /** The outbox wakes its relay by itself. */
    @Override
    public void committed(OrderEvent event) {}
}
