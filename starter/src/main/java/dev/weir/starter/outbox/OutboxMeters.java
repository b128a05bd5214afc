package dev.weir.starter.outbox;

import dev.weir.core.outbox.Backlog;
import dev.weir.core.outbox.RelayStats;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** What relays count and how their tables stand; the tag {@code outbox} is its name. */
final class OutboxMeters implements MeterBinder {

    private final List<OutboxRelay> relays;

    OutboxMeters(List<OutboxRelay> relays) {
        this.relays = relays;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        relays.forEach(relay -> bind(registry, relay));
    }

    private static void bind(MeterRegistry registry, OutboxRelay relay) {
        gauge(registry, relay, "weir.outbox.waiting", Backlog::waiting);
        gauge(registry, relay, "weir.outbox.parked", Backlog::parked);
        TimeGauge.builder(
                        "weir.outbox.oldest.age",
                        relay,
                        TimeUnit.MILLISECONDS,
                        r -> of(r, backlog -> backlog.oldestAge().toMillis()))
                .tag("outbox", relay.name())
                .description("For how long the oldest event has not been delivered")
                .register(registry);
        Timer lag = Timer.builder("weir.outbox.lag")
                .tag("outbox", relay.name())
                .description("From adding a batch's oldest event to its removal")
                .register(registry);
        relay.onLag(lag::record);
        count(registry, relay, "weir.outbox.relay.delivered", RelayStats::delivered);
        count(registry, relay, "weir.outbox.relay.retried", RelayStats::retried);
        count(registry, relay, "weir.outbox.relay.parked", RelayStats::parked);
        count(registry, relay, "weir.outbox.relay.postponed", RelayStats::postponed);
        count(registry, relay, "weir.outbox.relay.aborted", RelayStats::aborted);
        count(registry, relay, "weir.outbox.relay.failures", RelayStats::failures);
        count(registry, relay, "weir.outbox.relay.batches", RelayStats::batches);
        Gauge.builder("weir.outbox.relay.lanes", relay, r -> r.stats().lanes())
                .tag("outbox", relay.name())
                .register(registry);
    }

    private static double of(OutboxRelay relay, ToDoubleFunction<Backlog> value) {
        return relay.backlog().map(value::applyAsDouble).orElse(Double.NaN);
    }

    private static void gauge(
            MeterRegistry registry, OutboxRelay relay, String meter, ToDoubleFunction<Backlog> value) {
        Gauge.builder(meter, relay, r -> of(r, value))
                .tag("outbox", relay.name())
                .baseUnit("events")
                .register(registry);
    }

    private static void count(
            MeterRegistry registry, OutboxRelay relay, String meter, ToDoubleFunction<RelayStats> value) {
        FunctionCounter.builder(meter, relay, r -> value.applyAsDouble(r.stats()))
                .tag("outbox", relay.name())
                .register(registry);
    }
}
