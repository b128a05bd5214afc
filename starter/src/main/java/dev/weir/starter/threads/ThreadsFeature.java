package dev.weir.starter.threads;

import dev.weir.core.watch.PinnedSite;
import dev.weir.core.watch.PinningWatch;
import dev.weir.starter.FeatureStatus;
import dev.weir.starter.FeatureStatus.State;
import dev.weir.starter.WeirFeature;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** How {@code weir.threads} stands. */
final class ThreadsFeature implements WeirFeature {

    private final ThreadsProperties properties;
    private final boolean virtual;
    private final boolean setHere;
    private final PinningLog pinning;
    private final Supplier<ThreadsWarnings> warnings;

    /**
     * @param virtual whether the application runs on virtual threads
     * @param setHere whether that is so because of this feature
     * @param warnings what an application on virtual threads should know; asked at each status while this feature is on
     */
    ThreadsFeature(
            ThreadsProperties properties,
            boolean virtual,
            boolean setHere,
            PinningLog pinning,
            Supplier<ThreadsWarnings> warnings) {
        this.properties = properties;
        this.virtual = virtual;
        this.setHere = setHere;
        this.pinning = pinning;
        this.warnings = warnings;
    }

    @Override
    public String name() {
        return "threads";
    }

    @Override
    public FeatureStatus status() {
        return new FeatureStatus(state(), settings(), sentences());
    }

    private State state() {
        if (!properties.enabled()) {
            return State.OFF;
        }
        return virtual ? State.ON : State.UNAVAILABLE;
    }

    private Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        if (!properties.enabled()) {
            return settings;
        }
        settings.put("virtual", virtual + (setHere ? " (set by weir.threads)" : " (set by the configuration)"));
        PinningWatch watch = pinning.watch();
        if (watch == null) {
            settings.put("pinning", "not watched");
        } else {
            settings.put("pinning.threshold", properties.pinning().threshold().toMillis() + "ms");
            settings.put("pinned", Long.toString(watch.count()));
            describeWorst(watch, settings);
        }
        return settings;
    }

    private static void describeWorst(PinningWatch watch, Map<String, String> settings) {
        List<PinnedSite> sites = watch.sites();
        if (!sites.isEmpty()) {
            PinnedSite worst = sites.getFirst();
            settings.put("pinned.sites", Integer.toString(sites.size()));
            settings.put(
                    "pinned.worst",
                    "%s, %d times, %d ms together, %d ms at most"
                            .formatted(
                                    worst.first().site(),
                                    worst.count(),
                                    worst.total().toMillis(),
                                    worst.longest().toMillis()));
        }
    }

    private List<String> sentences() {
        List<String> sentences = new ArrayList<>();
        if (properties.enabled() && !virtual) {
            sentences.add(VirtualThreadsSwitch.VIRTUAL
                    + " is false in the configuration, and that value stands: remove it to let weir.threads set it.");
        }
        if (properties.enabled() && virtual) {
            sentences.addAll(warnings.get().sentences());
        }
        String problem = pinning.problem();
        if (problem != null) {
            sentences.add(problem);
        }
        return sentences;
    }
}
