package dev.weir.bench.publish;

import dev.weir.core.publish.Event;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The bare client: each send waited for, or sends in a row that the client alone holds back, as kafka-producer-perf-test does; with a
 * header as Weir's events have it, or without.
 */
final class RawWay implements Way {
    private static final UUID ID = new UUID(1, 1);

    private final KafkaProducer<byte[], byte[]> producer;
    private final String topic;
    private final boolean oneByOne;
    private final boolean withId;
    private final LongAdder acknowledged = new LongAdder();
    private final LongAdder failed = new LongAdder();

    RawWay(Map<String, Object> settings, String topic, boolean oneByOne, boolean withId) {
        this.producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
        this.topic = topic;
        this.oneByOne = oneByOne;
        this.withId = withId;
    }

    @Override
    public void publish(byte[] key, byte[] value) throws Exception {
        ProducerRecord<byte[], byte[]> event = new ProducerRecord<>(topic, key, value);
        if (withId) {
            event.headers().add(Event.ID_HEADER, Event.idToBytes(ID));
        }
        var sent = producer.send(event, (written, failure) -> {
            if (failure == null) {
                acknowledged.increment();
            } else {
                failed.increment();
            }
        });
        if (oneByOne) {
            var ignored = sent.get();
        }
    }

    @Override
    public long acknowledged() {
        return acknowledged.sum();
    }

    @Override
    public long failed() {
        return failed.sum();
    }

    @Override
    public double requests() {
        return requests(producer.metrics());
    }

    static double requests(Map<MetricName, ? extends Metric> metrics) {
        return metrics.entrySet().stream()
                .filter(each -> each.getKey().name().equals("request-total")
                        && each.getKey().group().equals("producer-metrics"))
                .mapToDouble(each -> (double) each.getValue().metricValue())
                .sum();
    }

    @Override
    public void close() {
        producer.close();
    }
}
