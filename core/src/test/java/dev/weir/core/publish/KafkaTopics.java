package dev.weir.core.publish;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Makes topics and reads them from the start. */
public final class KafkaTopics {
    private final String bootstrap;

    /** For this broker. */
    public KafkaTopics(String bootstrap) {
        this.bootstrap = bootstrap;
    }

    /** Makes a topic. */
    public void create(String topic, int partitions, Map<String, String> settings) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1).configs(settings)))
                    .all()
                    .get();
        }
    }

    /** All records up to the present end, in order per partition. */
    public List<ConsumerRecord<byte[], byte[]>> read(String topic) {
        List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
        forEach(topic, all::add);
        return all;
    }

    /** Gives all records up to the present end away, in order per partition. */
    public void forEach(String topic, Consumer<ConsumerRecord<byte[], byte[]>> reader) {
        try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(each -> new TopicPartition(topic, each.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (partitions.stream().anyMatch(each -> consumer.position(each) < ends.getOrDefault(each, 0L))) {
                consumer.poll(Duration.ofMillis(200)).forEach(reader);
            }
        }
    }

    /** The offsets behind the last records. */
    public Map<TopicPartition, Long> ends(List<TopicPartition> partitions) {
        try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
            return consumer.endOffsets(partitions);
        }
    }

    private KafkaConsumer<byte[], byte[]> consumer() {
        return new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrap, "auto.offset.reset", "earliest", "enable.auto.commit", false),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    /** Contents by key, in the order of their first appearance, each event once by its id. */
    public Map<String, List<String>> firstByKey(String topic) {
        Set<UUID> seen = new LinkedHashSet<>();
        Map<String, List<String>> byKey = new LinkedHashMap<>();
        for (ConsumerRecord<byte[], byte[]> each : read(topic)) {
            if (seen.add(
                    Event.idFromBytes(each.headers().lastHeader(Event.ID_HEADER).value()))) {
                byKey.computeIfAbsent(text(each.key()), key -> new ArrayList<>())
                        .add(text(each.value()));
            }
        }
        return byKey;
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
