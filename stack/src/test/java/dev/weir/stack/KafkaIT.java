package dev.weir.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

class KafkaIT {
    @Test
    void takesATopicAndARecord() throws Exception {
        StackConfig config =
                TestStacks.config().withStandbys(0).withRedis(false).withKafka(true);
        try (Stack stack = Stack.start(config, StackProgress.silent())) {
            Map<String, Object> settings =
                    Map.of("bootstrap.servers", stack.kafka().bootstrap());
            try (Admin admin = Admin.create(settings)) {
                admin.createTopics(List.of(new NewTopic("events", 2, (short) 1)))
                        .all()
                        .get(60, TimeUnit.SECONDS);
                assertThat(admin.describeCluster().nodes().get(60, TimeUnit.SECONDS))
                        .hasSize(1);
            }
            try (KafkaProducer<String, String> producer =
                    new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
                RecordMetadata written = producer.send(new ProducerRecord<>("events", "key", "value"))
                        .get(60, TimeUnit.SECONDS);
                assertThat(written.offset()).isZero();
            }
        }
    }
}
