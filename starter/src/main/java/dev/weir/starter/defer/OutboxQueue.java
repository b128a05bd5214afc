package dev.weir.starter.defer;

import dev.weir.core.outbox.EventHandler;
import dev.weir.core.outbox.HandlerTarget;
import dev.weir.core.outbox.Target;
import dev.weir.core.publish.Event;
import dev.weir.core.shed.ServicePressure;
import dev.weir.core.shed.Stage;
import dev.weir.core.time.NanoClock;
import dev.weir.starter.outbox.OutboxRelay;
import dev.weir.starter.outbox.Outboxes;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;

/**
 * Weir's own outbox: a table and a relay besides those for Kafka, so that neither waits for the other. While the service is under
 * pressure calls stay in the table for a while instead of running here at once.
 */
final class OutboxQueue implements DeferrableQueue {

    private final OutboxRelay relay;
    private final int concurrency;
    private final Duration holdFor;
    private final ServicePressure pressure;
    private volatile Map<String, EventHandler> handlers = Map.of();

    OutboxQueue(Outboxes outboxes, DeferProperties properties, ServicePressure pressure) {
        this.concurrency = properties.concurrency();
        this.holdFor = properties.holdFor();
        this.pressure = pressure;
        this.relay = outboxes.make(
                "deferred", properties.table(), (int) properties.maxBytes().toBytes(), this::target);
    }

    private Target target() {
        return new HoldingTarget(
                new HandlerTarget(handlers, concurrency),
                () -> pressure.stage().includes(Stage.DEFER_TO_OUTBOX),
                holdFor,
                NanoClock.system());
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
