package dev.weir.starter.publish;

import dev.weir.core.publish.BatchingPublisher;
import dev.weir.core.publish.PublisherStats;
import dev.weir.core.publish.SpooledPublisher;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** What the publishers count; the tag {@code publisher} is memory or spool. */
final class PublishMeters implements MeterBinder {

    private final @Nullable BatchingPublisher publisher;
    private final @Nullable SpooledPublisher spooled;

    PublishMeters(@Nullable BatchingPublisher publisher, @Nullable SpooledPublisher spooled) {
        this.publisher = publisher;
        this.spooled = spooled;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        if (publisher != null) {
            new Binding<>(registry, publisher, BatchingPublisher::stats, Tags.of("publisher", "memory")).bind();
        }
        if (spooled != null) {
            new Binding<>(registry, spooled, SpooledPublisher::stats, Tags.of("publisher", "spool")).bind();
            bind(registry, spooled);
        }
    }

    private static void bind(MeterRegistry registry, SpooledPublisher spooled) {
        Gauge.builder("weir.publish.spool.waiting", spooled, SpooledPublisher::waiting)
                .register(registry);
        Gauge.builder("weir.publish.spool.parked", spooled, SpooledPublisher::parkedCount)
                .register(registry);
        Gauge.builder("weir.publish.spool.pressure", spooled, SpooledPublisher::pressure)
                .register(registry);
    }

    /** Meters keep the publisher itself, weakly: an object made for them would be collected. */
    private record Binding<T>(MeterRegistry registry, T publisher, Function<T, PublisherStats> stats, Tags tags) {

        void bind() {
            count("weir.publish.accepted", tags, PublisherStats::accepted);
            count("weir.publish.acknowledged", tags, PublisherStats::acknowledged);
            refused("full", PublisherStats::refusedFull);
            refused("oversized", PublisherStats::refusedOversized);
            refused("unserialisable", PublisherStats::refusedUnserialisable);
            refused("topic", PublisherStats::refusedTopic);
            refused("closed", PublisherStats::refusedClosed);
            failed("refused", PublisherStats::failed);
            failed("given-up", PublisherStats::givenUp);
            failed("closed", PublisherStats::left);
            count("weir.publish.resent", tags, PublisherStats::resent);
            count("weir.publish.breaks", tags, PublisherStats::breaks);
            count("weir.publish.batches", tags, PublisherStats::batches);
            gauge("weir.publish.waiting", "events", PublisherStats::waiting);
            gauge("weir.publish.in.flight", "events", PublisherStats::inFlight);
            gauge("weir.publish.held", "bytes", PublisherStats::heldBytes);
            gauge("weir.publish.topics.on.hold", "topics", PublisherStats::topicsOnHold);
            gauge("weir.publish.pressure", null, PublisherStats::pressure);
        }

        private void refused(String reason, ToDoubleFunction<PublisherStats> value) {
            count("weir.publish.refused", tags.and("reason", reason), value);
        }

        private void failed(String reason, ToDoubleFunction<PublisherStats> value) {
            count("weir.publish.failed", tags.and("reason", reason), value);
        }

        private void count(String meter, Tags all, ToDoubleFunction<PublisherStats> value) {
            FunctionCounter.builder(meter, publisher, p -> value.applyAsDouble(stats.apply(p)))
                    .tags(all)
                    .register(registry);
        }

        private void gauge(String meter, @Nullable String unit, ToDoubleFunction<PublisherStats> value) {
            Gauge.builder(meter, publisher, p -> value.applyAsDouble(stats.apply(p)))
                    .tags(tags)
                    .baseUnit(unit)
                    .register(registry);
        }
    }
}
