package dev.weir.bench.publish;

import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The bare client: each send waited for, or sends in a row that the client alone holds back, as kafka-producer-perf-test does. */
final class RawWay implements Way {
    private final KafkaProducer<byte[], byte[]> producer;
    private final String topic;
    private final boolean oneByOne;
    private final LongAdder acknowledged = new LongAdder();
    private final LongAdder failed = new LongAdder();

    RawWay(Map<String, Object> settings, String topic, boolean oneByOne) {
        this.producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
        this.topic = topic;
        this.oneByOne = oneByOne;
    }

    @Override
    public void publish(byte[] key, byte[] value) throws Exception {
        var sent = producer.send(new ProducerRecord<>(topic, key, value), (written, failure) -> {
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
