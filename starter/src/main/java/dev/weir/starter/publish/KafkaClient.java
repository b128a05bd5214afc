package dev.weir.starter.publish;

import dev.weir.core.publish.KafkaTransports;
import dev.weir.core.publish.PublisherConfig;
import dev.weir.core.publish.TransportFactory;
import dev.weir.starter.SettingException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;

/** Kafka as {@code weir.publish.kafka} describes it, for all features that send to it. */
public final class KafkaClient {

    private static final List<String> SPRINGS_SERVERS =
            List.of("spring.kafka.producer.bootstrap-servers", "spring.kafka.bootstrap-servers");
    private static final String SERVERS = ProducerConfig.BOOTSTRAP_SERVERS_CONFIG;

    private final Map<String, String> given;
    private final PublisherConfig publisher;
    private final Binder environment;

    KafkaClient(Map<String, String> given, PublisherConfig publisher, Binder environment) {
        this.given = given;
        this.publisher = publisher;
        this.environment = environment;
    }

    /**
     * Transports of their own, with these settings. Waits for no broker.
     *
     * @throws SettingException if the settings cannot be used
     */
    public TransportFactory transports() {
        Map<String, String> settings = settings();
        check(settings);
        try {
            return KafkaTransports.of(settings, publisher);
        } catch (IllegalArgumentException refused) {
            throw unusable(String.valueOf(refused.getMessage()));
        }
    }

    /** What one event may have, in bytes. */
    public int maxEventBytes() {
        return publisher.maxEventBytes();
    }

    /** Where the brokers are, as text; empty where nothing says so. */
    String servers() {
        return settings().getOrDefault(SERVERS, "");
    }

    /** Settings that Kafka's producer does not have. */
    List<String> unknown() {
        return given.keySet().stream()
                .filter(name -> !ProducerConfig.configNames().contains(name))
                .sorted()
                .toList();
    }

    private Map<String, String> settings() {
        Map<String, String> settings = new TreeMap<>(given);
        for (String name : SPRINGS_SERVERS) {
            environment
                    .bind(name, Bindable.listOf(String.class))
                    .ifBound(servers -> settings.putIfAbsent(SERVERS, String.join(",", servers)));
        }
        return settings;
    }

    /** By the client's own definitions, so that a wrong value stops the start and not the first event. */
    private static void check(Map<String, String> settings) {
        if (settings.getOrDefault(SERVERS, "").isBlank()) {
            throw SettingException.saying(
                    "Nothing says where Kafka is: neither weir.publish.kafka.bootstrap.servers nor"
                            + " spring.kafka.bootstrap-servers is set.",
                    "Give the brokers' addresses, such as weir.publish.kafka.bootstrap.servers=kafka-1:9092,kafka-2:9092.");
        }
        Map<String, Object> whole = new TreeMap<>(settings);
        whole.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        whole.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        try {
            var ignored = new ProducerConfig(whole);
        } catch (ConfigException wrong) {
            throw unusable(String.valueOf(wrong.getMessage()));
        }
    }

    /** For what a client says when it is made. */
    static SettingException unusable(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return unusable(String.valueOf(cause.getMessage()));
    }

    private static SettingException unusable(String reason) {
        String sentence = reason.endsWith(".") ? reason : reason + ".";
        return SettingException.saying(
                "The settings below weir.publish.kafka cannot be used: " + sentence,
                "Correct the setting, or remove it to use the default; names and values are those of Kafka's producer.");
    }
}
