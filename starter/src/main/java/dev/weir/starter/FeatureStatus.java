package dev.weir.starter;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How a feature stands.
 *
 * @param state whether it acts
 * @param settings the settings and live figures that matter, in the order to show them, values with their unit
 * @param warnings whole sentences: what is wrong and what to do
 */
public record FeatureStatus(State state, Map<String, String> settings, List<String> warnings) {

    /** Whether a feature acts. */
    public enum State {
        ON,
        OFF,
        /** Decides and counts, and changes nothing. */
        DRY_RUN,
        /** Asked for, but something it needs is missing; a warning says what. */
        UNAVAILABLE
    }

    public FeatureStatus {
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
        warnings = List.copyOf(warnings);
    }

    /** A feature that is switched off. */
    public static FeatureStatus off() {
        return new FeatureStatus(State.OFF, Map.of(), List.of());
    }
}
