package dev.weir.starter;

import dev.weir.starter.FeatureStatus.State;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All features of this application and how they stand. Any thread may call it. */
public final class Features {

    private static final Logger log = LoggerFactory.getLogger(Features.class);

    /**
     * A feature and its status at one moment.
     *
     * @param name the name below {@code weir.}
     */
    public record Entry(String name, FeatureStatus status) {}

    private final Supplier<Stream<WeirFeature>> features;

    /**
     * @param features the features; asked again at every call, so that a feature may ask for the others without a cycle
     */
    public Features(Supplier<Stream<WeirFeature>> features) {
        this.features = features;
    }

    /** How all stand now, by name. A feature whose status fails is shown as unavailable, with the reason. */
    public List<Entry> now() {
        return features.get()
                .map(feature -> new Entry(feature.name(), statusOf(feature)))
                .sorted(Comparator.comparing(Entry::name))
                .toList();
    }

    /** Whether the feature of this name is there and acts. */
    public boolean isOn(String name) {
        return features.get()
                .filter(feature -> feature.name().equals(name))
                .anyMatch(feature -> statusOf(feature).state() == State.ON);
    }

    private static FeatureStatus statusOf(WeirFeature feature) {
        try {
            return feature.status();
        } catch (RuntimeException e) {
            log.debug("The status of weir.{} failed", feature.name(), e);
            return new FeatureStatus(State.UNAVAILABLE, Map.of(), List.of("Its status cannot be told: " + e + "."));
        }
    }
}
