package dev.weir.starter.watch;

import dev.weir.core.watch.Kind;
import dev.weir.core.watch.Offence;
import dev.weir.core.watch.RequestWatch;
import dev.weir.starter.FeatureStatus;
import dev.weir.starter.FeatureStatus.State;
import dev.weir.starter.WeirFeature;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@code weir.watch} as the table shows it. */
final class WatchFeature implements WeirFeature {

    private static final double NANOS_A_MILLI = 1e6;

    private final WatchProperties properties;
    private final @Nullable RequestWatch watch;
    private final Supplier<List<String>> unwatchedPools;
    private final BooleanSupplier seesRemoteCalls;

    /** @param watch null where there are no servlets */
    WatchFeature(
            WatchProperties properties,
            @Nullable RequestWatch watch,
            Supplier<List<String>> unwatchedPools,
            BooleanSupplier seesRemoteCalls) {
        this.properties = properties;
        this.watch = watch;
        this.unwatchedPools = unwatchedPools;
        this.seesRemoteCalls = seesRemoteCalls;
    }

    @Override
    public String name() {
        return "watch";
    }

    @Override
    public FeatureStatus status() {
        if (!properties.enabled()) {
            return FeatureStatus.off();
        }
        if (watch == null) {
            return new FeatureStatus(
                    State.UNAVAILABLE,
                    Map.of(),
                    List.of("It needs a servlet application: add spring-boot-starter-webmvc, or remove"
                            + " weir.watch.enabled."));
        }
        return new FeatureStatus(State.ON, settings(watch), warnings());
    }

    private Map<String, String> settings(RequestWatch watch) {
        Map<String, String> settings = new LinkedHashMap<>();
        var slow = properties.slow();
        settings.put(
                "slow",
                "request>%s remote>%s redis>%s sql>%s"
                        .formatted(
                                millis(slow.request().toNanos()),
                                millis(slow.remote().toNanos()),
                                millis(slow.redis().toNanos()),
                                millis(slow.sql().toNanos())));
        long requests = watch.requests();
        settings.put("requests", Long.toString(requests));
        if (requests > 0) {
            settings.put("mean", mean(watch.requestNanos(), requests));
            for (Kind kind : Kind.values()) {
                if (watch.calls(kind) > 0) {
                    settings.put(kind.label(), mean(watch.unionNanos(kind), requests));
                }
            }
            settings.put("rest", mean(watch.restNanos(), requests));
        }
        for (Offence offence : Offence.values()) {
            if (watch.offences(offence) > 0) {
                settings.put(offence.label() + " offences", Long.toString(watch.offences(offence)));
            }
        }
        return settings;
    }

    private List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        List<String> pools = unwatchedPools.get();
        if (!pools.isEmpty()) {
            warnings.add(
                    "The connections of %s are not watched, since it was started when it was made, or is of a class of its own: make it with new HikariDataSource() and its setters."
                            .formatted(String.join(", ", pools)));
        }
        if (!seesRemoteCalls.getAsBoolean()) {
            warnings.add("Calls of other services are not seen, since there is no ObservationRegistry: add"
                    + " spring-boot-starter-actuator.");
        }
        return warnings;
    }

    private static String mean(long nanos, long requests) {
        return millis(nanos / requests) + " a request";
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.1f", nanos / NANOS_A_MILLI).replaceFirst("\\.0$", "") + "ms";
    }
}
