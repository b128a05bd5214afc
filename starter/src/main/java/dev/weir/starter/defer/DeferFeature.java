package dev.weir.starter.defer;

import dev.weir.core.defer.BestEffortStats;
import dev.weir.starter.FeatureStatus;
import dev.weir.starter.FeatureStatus.State;
import dev.weir.starter.WeirFeature;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How {@code weir.defer} stands. */
final class DeferFeature implements WeirFeature {

    private final DeferProperties properties;
    private final @Nullable Tiers tiers;
    private final boolean hasQueue;

    /** @param tiers null where the feature is off or something it needs is missing */
    DeferFeature(DeferProperties properties, @Nullable Tiers tiers, boolean hasQueue) {
        this.properties = properties;
        this.tiers = tiers;
        this.hasQueue = hasQueue;
    }

    @Override
    public String name() {
        return "defer";
    }

    @Override
    public FeatureStatus status() {
        if (!properties.enabled()) {
            return FeatureStatus.off();
        }
        if (tiers == null) {
            return new FeatureStatus(
                    State.UNAVAILABLE,
                    Map.of(),
                    List.of("Spring AOP or Jackson is not on the class path: add spring-boot-starter-jackson."));
        }
        BestEffortStats stats = tiers.stats();
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("deferrable", hasQueue ? tiers.deferrables() + " kinds of work" : "no outbox");
        settings.put(
                "best-effort",
                "%d running, %d of %d waiting"
                        .formatted(
                                stats.running(),
                                stats.waiting(),
                                properties.bestEffort().waiting()));
        return new FeatureStatus(State.ON, settings, warnings(stats, tiers.droppedUnderPressure()));
    }

    private static List<String> warnings(BestEffortStats stats, long underPressure) {
        List<String> sentences = new ArrayList<>();
        if (stats.droppedFull() > 0) {
            sentences.add(
                    stats.droppedFull()
                            + " best-effort tasks were dropped because too many waited: raise weir.defer.best-effort.running or waiting, or defer what matters.");
        }
        if (underPressure > 0) {
            sentences.add(underPressure + " best-effort tasks were dropped under pressure.");
        }
        if (stats.failed() > 0) {
            sentences.add(stats.failed() + " best-effort tasks failed; the log shows the first.");
        }
        return sentences;
    }
}
