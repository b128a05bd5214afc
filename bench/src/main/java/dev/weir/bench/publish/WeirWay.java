package dev.weir.bench.publish;

import dev.weir.core.publish.BatchingPublisher;
import dev.weir.core.publish.Event;
import dev.weir.core.publish.KafkaTransports;
import dev.weir.core.publish.Publication;
import dev.weir.core.publish.PublisherConfig;
import java.time.Duration;
import java.util.Map;

/** Weir's publisher, with its defaults. Callers wait for room where the buffer is full. */
final class WeirWay implements Way {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final KafkaTransports transports;
    private final BatchingPublisher publisher;
    private final String topic;

    WeirWay(Map<String, Object> settings, String topic) {
        PublisherConfig config = PublisherConfig.defaults();
        this.transports = KafkaTransports.of(settings, config);
        this.publisher = BatchingPublisher.start(config, transports);
        this.topic = topic;
    }

    @Override
    public void publish(byte[] key, byte[] value) throws InterruptedException {
        if (publisher.publish(Event.of(topic, key, value), PATIENCE) instanceof Publication.Refused refused) {
            throw new IllegalStateException(refused.sentence());
        }
    }

    @Override
    public long acknowledged() {
        return publisher.stats().acknowledged();
    }

    @Override
    public long failed() {
        return publisher.stats().failed() + publisher.stats().givenUp();
    }

    @Override
    public double requests() {
        return RawWay.requests(transports.metrics());
    }

    @Override
    public void close() {
        publisher.close();
    }
}
