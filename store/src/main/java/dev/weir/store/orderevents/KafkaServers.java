package dev.weir.store.orderevents;

import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where Kafka is, under Spring Boot's own name.
 *
 * @param bootstrapServers each as host:port; none where the store runs without Kafka
 */
@ConfigurationProperties("spring.kafka")
public record KafkaServers(@DefaultValue List<String> bootstrapServers) {

    public KafkaServers {
        bootstrapServers = List.copyOf(bootstrapServers);
        for (String server : bootstrapServers) {
            if (!server.matches("[^:\\s]+:\\d{1,5}|\\[[0-9a-fA-F:]+]:\\d{1,5}")) {
                throw new IllegalArgumentException("spring.kafka.bootstrap-servers holds '" + server
                        + "': give host and port of each broker, such as 127.0.0.1:9092, or leave it out to run without"
                        + " Kafka.");
            }
        }
    }

    /** Whether there are any. */
    public boolean present() {
        return !bootstrapServers.isEmpty();
    }

    /** As Kafka's clients take them. */
    public String joined() {
        return String.join(",", bootstrapServers);
    }
}
