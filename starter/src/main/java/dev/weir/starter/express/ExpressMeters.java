package dev.weir.starter.express;

import dev.weir.core.express.ExpressRoute;
import dev.weir.core.express.Lane;
import dev.weir.core.express.PassedOn;
import dev.weir.core.express.PortLane;
import dev.weir.core.express.RouteCounts;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * What the lanes have answered, as meters that are read when they are asked for, so that a request costs two additions:
 * {@code weir.express.requests} by uri, lane and status, {@code weir.express.failures} by uri, and
 * {@code weir.express.passed.on} by reason.
 */
final class ExpressMeters implements MeterBinder {

    private final List<ExpressRoute<?, ?>> routes;
    private final PortLane lane;

    ExpressMeters(List<ExpressRoute<?, ?>> routes, PortLane lane) {
        this.routes = routes;
        this.lane = lane;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        for (ExpressRoute<?, ?> route : routes) {
            for (Lane by : Lane.values()) {
                answers(registry, route, by, 200);
                answers(registry, route, by, 304);
            }
            answers(registry, route, Lane.FILTER, 406);
            FunctionCounter.builder("weir.express.failures", route.counts(), RouteCounts::failures)
                    .tag("uri", route.path())
                    .description("Requests whose value could not be loaded or encoded, answered by the application")
                    .register(registry);
        }
        for (PassedOn reason : PassedOn.values()) {
            FunctionCounter.builder("weir.express.passed.on", lane, counted -> counted.passedOn(reason))
                    .tag("reason", reason.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                    .description("Requests that the poller left to Tomcat's normal way")
                    .register(registry);
        }
        FunctionCounter.builder("weir.express.unfinished.writes", lane, PortLane::unfinishedWrites)
                .description("Answers that the socket did not take at once")
                .register(registry);
    }

    private static void answers(MeterRegistry registry, ExpressRoute<?, ?> route, Lane by, int status) {
        RouteCounts counts = route.counts();
        FunctionTimer.builder(
                        "weir.express.requests",
                        counts,
                        counted -> counted.requests(by, status),
                        counted -> counted.nanos(by, status),
                        TimeUnit.NANOSECONDS)
                .tag("uri", route.path())
                .tag("lane", by.name().toLowerCase(Locale.ROOT))
                .tag("status", Integer.toString(status))
                .description("Requests answered from encoded bytes")
                .register(registry);
    }
}
