package dev.weir.starter.publish;

import dev.weir.core.publish.BatchingPublisher;
import dev.weir.core.publish.PublisherStats;
import dev.weir.core.publish.SpooledPublisher;
import dev.weir.starter.FeatureStatus;
import dev.weir.starter.FeatureStatus.State;
import dev.weir.starter.WeirFeature;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How {@code weir.publish} stands. */
final class PublishFeature implements WeirFeature {

    private static final double NEARLY_FULL = 0.9;
    private static final int PER_CENT = 100;

    private final PublishProperties properties;
    private final @Nullable KafkaClient kafka;
    private final @Nullable BatchingPublisher publisher;
    private final @Nullable SpooledPublisher spooled;

    PublishFeature(
            PublishProperties properties,
            @Nullable KafkaClient kafka,
            @Nullable BatchingPublisher publisher,
            @Nullable SpooledPublisher spooled) {
        this.properties = properties;
        this.kafka = kafka;
        this.publisher = publisher;
        this.spooled = spooled;
    }

    @Override
    public String name() {
        return "publish";
    }

    @Override
    public FeatureStatus status() {
        if (!properties.enabled()) {
            return FeatureStatus.off();
        }
        if (publisher == null || kafka == null) {
            return new FeatureStatus(
                    State.UNAVAILABLE,
                    Map.of(),
                    List.of("Kafka's client is not on the class path: add org.apache.kafka:kafka-clients."));
        }
        return new FeatureStatus(State.ON, settings(publisher, kafka), warnings(publisher.stats(), kafka));
    }

    private Map<String, String> settings(BatchingPublisher on, KafkaClient client) {
        PublisherStats stats = on.stats();
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("servers", client.servers());
        settings.put("buffer", stats.waiting() + stats.inFlight() + " of " + properties.bufferEvents() + " events");
        settings.put("acknowledged", Long.toString(stats.acknowledged()));
        String folder = properties.spool().folder();
        settings.put("spool", folder == null ? "none" : folder);
        if (spooled != null) {
            settings.put("spooled", Long.toString(spooled.waiting()));
        }
        return settings;
    }

    private List<String> warnings(PublisherStats stats, KafkaClient client) {
        List<String> sentences = new ArrayList<>();
        for (String name : client.unknown()) {
            sentences.add("Kafka's producer has no setting " + name
                    + "; it is passed on, and does nothing unless a class named in another setting reads it.");
        }
        if (stats.pressure() >= NEARLY_FULL) {
            sentences.add("The buffer is %.0f%% full; when it is full, events are refused."
                    .formatted(PER_CENT * stats.pressure()));
        }
        if (stats.topicsOnHold() > 0) {
            sentences.add(
                    "Events of " + stats.topicsOnHold() + " topics wait for the broker or for their topic to appear.");
        }
        if (spooled != null && spooled.parkedCount() > 0) {
            sentences.add(
                    spooled.parkedCount()
                            + " events of the spool are parked, for they cannot be delivered; SpooledPublisher.parked tells why.");
        }
        return sentences;
    }
}
