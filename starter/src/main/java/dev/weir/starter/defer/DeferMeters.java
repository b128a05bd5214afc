package dev.weir.starter.defer;

import dev.weir.core.defer.BestEffortStats;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.ToDoubleFunction;

/** What best effort counts. Deferred calls are counted by their relay, as outbox "deferred". */
final class DeferMeters implements MeterBinder {

    private static final String DROPPED = "weir.defer.best.effort.dropped";

    private final Tiers tiers;

    DeferMeters(Tiers tiers) {
        this.tiers = tiers;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        count(registry, "weir.defer.best.effort.accepted", Tags.empty(), of(BestEffortStats::accepted));
        count(registry, "weir.defer.best.effort.completed", Tags.empty(), of(BestEffortStats::completed));
        count(registry, "weir.defer.best.effort.failed", Tags.empty(), of(BestEffortStats::failed));
        count(registry, DROPPED, Tags.of("reason", "full"), of(BestEffortStats::droppedFull));
        count(registry, DROPPED, Tags.of("reason", "closed"), of(BestEffortStats::droppedClosed));
        count(registry, DROPPED, Tags.of("reason", "deadline"), of(BestEffortStats::droppedAtDeadline));
        count(registry, DROPPED, Tags.of("reason", "pressure"), Tiers::droppedUnderPressure);
        gauge(registry, "weir.defer.best.effort.waiting", of(BestEffortStats::waiting));
        gauge(registry, "weir.defer.best.effort.running", of(BestEffortStats::running));
    }

    private static ToDoubleFunction<Tiers> of(ToDoubleFunction<BestEffortStats> value) {
        return tiers -> value.applyAsDouble(tiers.stats());
    }

    private void count(MeterRegistry registry, String meter, Tags tags, ToDoubleFunction<Tiers> value) {
        FunctionCounter.builder(meter, tiers, value).tags(tags).register(registry);
    }

    private void gauge(MeterRegistry registry, String meter, ToDoubleFunction<Tiers> value) {
        Gauge.builder(meter, tiers, value).baseUnit("tasks").register(registry);
    }
}
