package dev.weir.starter.defer;

import dev.weir.core.outbox.EventHandler;
import dev.weir.core.outbox.HandlerTarget;
import dev.weir.core.outbox.Target;
import dev.weir.core.publish.Event;
import dev.weir.starter.outbox.OutboxRelay;
import dev.weir.starter.outbox.Outboxes;
import java.util.Map;
import java.util.UUID;

/** Weir's own outbox: a table and a relay besides those for Kafka, so that neither waits for the other. */
final class OutboxQueue implements DeferrableQueue {

    private final OutboxRelay relay;
    private final int concurrency;
    private volatile Map<String, EventHandler> handlers = Map.of();

    OutboxQueue(Outboxes outboxes, DeferProperties properties) {
        this.concurrency = properties.concurrency();
        this.relay = outboxes.make(
                "deferred", properties.table(), (int) properties.maxBytes().toBytes(), this::target);
    }

    private Target target() {
        return new HandlerTarget(handlers, concurrency);
    }

    OutboxRelay relay() {
        return relay;
    }

    @Override
    public UUID add(Event event) {
        return relay.outbox().add(event);
    }

    @Override
    public void handle(Map<String, EventHandler> all) {
        handlers = Map.copyOf(all);
    }
}
