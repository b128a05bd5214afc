package dev.weir.starter.route;

import com.zaxxer.hikari.metrics.micrometer.MicrometerMetricsTrackerFactory;
import dev.weir.core.route.ReplicaSet;
import dev.weir.core.route.RouteCounters;
import dev.weir.core.route.RouteCounters.Reason;
import dev.weir.core.route.RouteCounters.Wait;
import dev.weir.core.route.Router;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** {@code weir.route.*} and HikariCP's own metrics of the replicas' pools. */
final class RouteMeters implements MeterBinder {

    private final Routing routing;
    private final RouteProperties properties;
    private final TokenCounters tokens;

    RouteMeters(Routing routing, RouteProperties properties, TokenCounters tokens) {
        this.routing = routing;
        this.properties = properties;
        this.tokens = tokens;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        List<String> replicas = List.copyOf(properties.replicas().keySet());
        for (int i = 0; i < replicas.size(); i++) {
            replica(registry, replicas.get(i), i);
        }
        for (Reason reason : Reason.values()) {
            String target = reason == Reason.REFUSED ? "none" : "primary";
            counter("weir.route.reads", "Reads by where they went", counters -> counters.primaryReads(reason))
                    .tags("target", target, "reason", tag(reason))
                    .register(registry);
        }
        for (Wait wait : Wait.values()) {
            counter(
                            "weir.route.replay.waits",
                            "Waits of a read for its session's own writes",
                            counters -> counters.waits(wait))
                    .tag("outcome", tag(wait))
                    .register(registry);
        }
        counter("weir.route.writes", "Connections lent for writing", RouteCounters::writes)
                .register(registry);
        counter(
                        "weir.route.writes.retried",
                        "Writing transactions moved to another connection before their first statement succeeded",
                        RouteCounters::retriedWrites)
                .register(registry);
        counter(
                        "weir.route.positions.unknown",
                        "Commits whose position could not be told; their sessions read from the primary",
                        RouteCounters::unknownPositions)
                .register(registry);
        counter(
                        "weir.route.positions.corrected",
                        "Sessions that needed a position beyond the primary's own, which was taken for it",
                        RouteCounters::correctedPositions)
                .register(registry);
        counter("weir.route.evictions", "Pools emptied after a change of the server", RouteCounters::evictions)
                .register(registry);
        Gauge.builder("weir.route.fallbacks", routing, value(Router::fallbacksInUse))
                .description("Reads on the primary right now that belong on a replica")
                .register(registry);
        tokens(registry);
        routing.eachPool(pool -> pool.setMetricsTrackerFactory(new MicrometerMetricsTrackerFactory(registry)));
    }

    private void replica(MeterRegistry registry, String name, int index) {
        counter("weir.route.reads", "Reads by where they went", counters -> counters.replicaReads(index))
                .tags("target", name, "reason", "replica")
                .register(registry);
        counter("weir.route.ejections", "Times a replica left service", counters -> counters.ejections(index))
                .tag("replica", name)
                .register(registry);
        Gauge.builder("weir.route.replica.lag", routing, at -> lagBytes(at.router(), index))
                .description(
                        "Bytes of the primary's log that the replica had still to replay when last asked; NaN while unknown")
                .baseUnit("bytes")
                .tag("replica", name)
                .register(registry);
        Gauge.builder(
                        "weir.route.replica.serving",
                        routing,
                        value(router -> router.replicas().view(index).state().serves() ? 1 : 0))
                .description("1 while the replica takes reads")
                .tag("replica", name)
                .register(registry);
    }

    private static double lagBytes(@Nullable Router router, int index) {
        ReplicaSet.View view = router == null ? null : router.replicas().view(index);
        return view == null || !view.isLagKnown() ? Double.NaN : view.lagBytes();
    }

    private void tokens(MeterRegistry registry) {
        token(registry, "valid", tokens.valid);
        token(registry, "expired", tokens.expired);
        token(registry, "invalid", tokens.invalid);
        token(registry, "issued", tokens.issued);
        token(registry, "late", tokens.late);
        token(registry, "failed", tokens.failed);
    }

    private static void token(MeterRegistry registry, String outcome, LongAdder adder) {
        FunctionCounter.builder("weir.route.tokens", adder, LongAdder::sum)
                .description("Session tokens by what became of them")
                .tag("outcome", outcome)
                .register(registry);
    }

    private FunctionCounter.Builder<Routing> counter(
            String name, String description, ToDoubleFunction<RouteCounters> count) {
        return FunctionCounter.builder(name, routing, value(router -> count.applyAsDouble(router.counters())))
                .description(description);
    }

    private static ToDoubleFunction<Routing> value(ToDoubleFunction<Router> read) {
        return routing -> {
            Router router = routing.router();
            return router == null ? 0 : read.applyAsDouble(router);
        };
    }

    private static String tag(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
