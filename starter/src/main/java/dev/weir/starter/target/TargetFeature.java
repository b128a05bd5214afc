package dev.weir.starter.target;

import dev.weir.core.size.PoolSize;
import dev.weir.core.size.ServerSize;
import dev.weir.core.time.DurationText;
import dev.weir.starter.FeatureStatus;
import dev.weir.starter.FeatureStatus.State;
import dev.weir.starter.WeirFeature;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;

/** {@code weir.target} as the table shows it: each size with its inputs. */
final class TargetFeature implements WeirFeature {

    private static final String PREFIX = "server.tomcat.";
    /** Above it context switches and stacks cost more than the threads bring. */
    private static final int MAX_THREADS_PER_CORE = 200;

    private final TargetProperties properties;
    private final UnaryOperator<String> inEffect;
    private final List<String> setHere;
    private final boolean virtual;
    private final int cores;

    /**
     * @param inEffect the value of a setting, by its whole name
     * @param setHere the settings that are the target's
     * @param virtual whether requests run on virtual threads
     */
    TargetFeature(
            TargetProperties properties,
            UnaryOperator<String> inEffect,
            List<String> setHere,
            boolean virtual,
            int cores) {
        this.properties = properties;
        this.inEffect = inEffect;
        this.setHere = List.copyOf(setHere);
        this.virtual = virtual;
        this.cores = cores;
    }

    @Override
    public String name() {
        return "target";
    }

    @Override
    public FeatureStatus status() {
        return properties.enabled() ? new FeatureStatus(State.ON, settings(), warnings()) : FeatureStatus.off();
    }

    private Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        TomcatSizes.of(properties)
                .forEach((name, size) -> settings.put(
                        name.substring(PREFIX.length()),
                        setHere.contains(name)
                                ? "%s (%s)".formatted(size.value(), size.formula())
                                : "%s (left to %s; the target asks for %s: %s)"
                                        .formatted(inEffect.apply(name), name, size.value(), size.formula())));
        Duration hold = properties.connectionHold();
        if (hold != null) {
            settings.put(
                    "database connections busy",
                    String.format(
                            Locale.ROOT,
                            "%.1f (%s/s x %s held)",
                            PoolSize.inUse(properties.ratePerSecond(), hold.toNanos() / 1e9),
                            properties.ratePerSecond(),
                            DurationText.of(hold)));
        }
        return settings;
    }

    private List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        ServerSize size = properties.size();
        if (virtual) {
            warnings.add(
                    "With virtual threads Tomcat ignores threads.max: %d is what a limit on requests in flight must allow at least (weir.shed)."
                            .formatted(size.threads()));
        } else if (size.threads() > (long) MAX_THREADS_PER_CORE * cores) {
            warnings.add(
                    "%d threads are over %d for each of %d processors, where context switches make the slowest requests slower: use virtual threads with a limit (weir.threads, weir.shed), a shorter latency or more instances."
                            .formatted(size.threads(), MAX_THREADS_PER_CORE, cores));
        }
        return warnings;
    }
}
