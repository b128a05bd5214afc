package dev.weir.bench.publish;

import dev.weir.core.publish.BatchingPublisher;
import dev.weir.core.publish.Event;
import dev.weir.core.publish.KafkaTransports;
import dev.weir.core.publish.Publication;
import dev.weir.core.publish.PublisherConfig;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** Weir's publisher. A caller that is told the buffer is full waits 200 µs and tries again. */
final class WeirWay implements Way {
    private static final long PAUSE_NANOS = 200_000;

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
    public void publish(byte[] key, byte[] value) {
        Event event = Event.of(topic, key, value);
        while (publisher.publish(event) instanceof Publication.Refused) {
            LockSupport.parkNanos(PAUSE_NANOS);
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
