package dev.weir.starter.watch;

import dev.weir.core.watch.Kind;
import dev.weir.core.watch.Offence;
import dev.weir.core.watch.RequestWatch;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** What the watch adds up: read when asked for, so that a request pays for additions alone. */
final class WatchMeters implements MeterBinder {

    private static final double NANOS_A_SECOND = 1e9;

    private final RequestWatch watch;

    WatchMeters(RequestWatch watch) {
        this.watch = watch;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        FunctionTimer.builder(
                        "weir.watch.requests",
                        watch,
                        RequestWatch::requests,
                        RequestWatch::requestNanos,
                        TimeUnit.NANOSECONDS)
                .register(registry);
        seconds("weir.watch.rest", RequestWatch::restNanos, registry);
        for (Kind kind : Kind.values()) {
            FunctionTimer.builder(
                            "weir.watch.calls",
                            watch,
                            all -> all.calls(kind),
                            all -> all.sumNanos(kind),
                            TimeUnit.NANOSECONDS)
                    .tag("kind", kind.label())
                    .register(registry);
            FunctionCounter.builder("weir.watch.busy", watch, all -> all.unionNanos(kind) / NANOS_A_SECOND)
                    .tag("kind", kind.label())
                    .baseUnit("seconds")
                    .register(registry);
        }
        for (Offence offence : Offence.values()) {
            FunctionCounter.builder("weir.watch.offences", watch, all -> all.offences(offence))
                    .tag("offence", offence.label())
                    .register(registry);
        }
        count("weir.watch.suppressed", RequestWatch::heldBack, registry);
        count("weir.watch.queries", RequestWatch::queries, registry);
        count("weir.watch.beans", RequestWatch::beans, registry);
        count("weir.watch.exceptions", RequestWatch::exceptions, registry);
        count("weir.watch.threads", RequestWatch::threads, registry);
        FunctionCounter.builder("weir.watch.log", watch, RequestWatch::logBytes)
                .baseUnit("bytes")
                .register(registry);
    }

    private void seconds(String name, ToDoubleFunction<RequestWatch> nanos, MeterRegistry registry) {
        FunctionCounter.builder(name, watch, all -> nanos.applyAsDouble(all) / NANOS_A_SECOND)
                .baseUnit("seconds")
                .register(registry);
    }

    private void count(String name, ToDoubleFunction<RequestWatch> count, MeterRegistry registry) {
        FunctionCounter.builder(name, watch, count).register(registry);
    }
}
