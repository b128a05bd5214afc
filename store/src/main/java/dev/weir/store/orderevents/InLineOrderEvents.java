package dev.weir.store.orderevents;

import dev.weir.core.publish.Event;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the event after the commit and waits until the broker has it, while the client waits too. What a store that died in
 * between, or a broker that is away, has not got is lost: the order is committed all the same. The counter tells of the
 * latter, the gap in the order's sequence of both, if another event of it follows.
 */
final class InLineOrderEvents implements OrderEvents, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(InLineOrderEvents.class);
    private static final int LONGEST_SEND_MILLIS = 5_000;

    private final Producer<byte[], byte[]> producer;
    private final Counter lost;

    InLineOrderEvents(String servers, MeterRegistry meters) {
        this.producer = new KafkaProducer<>(
                Map.of(
                        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, servers,
                        ProducerConfig.ACKS_CONFIG, "all",
                        ProducerConfig.LINGER_MS_CONFIG, 0,
                        ProducerConfig.MAX_BLOCK_MS_CONFIG, LONGEST_SEND_MILLIS,
                        ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, LONGEST_SEND_MILLIS,
                        ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, LONGEST_SEND_MILLIS),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        this.lost = Counter.builder("store.order.events.lost")
                .description("Events of committed orders that could not be sent")
                .register(meters);
    }

    @Override
    public void changed(OrderEvent event) {}

    @Override
    public void committed(OrderEvent event) {
        try {
            producer.send(message(event.toEvent())).get();
        } catch (ExecutionException | RuntimeException e) {
            lost.increment();
            log.warn(
                    "Event {} of order {} is lost: {}",
                    event.sequence(),
                    event.orderId(),
                    String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            lost.increment();
            Thread.currentThread().interrupt();
        }
    }

    private static ProducerRecord<byte[], byte[]> message(Event event) {
        var message = new ProducerRecord<>(event.topic(), event.key(), event.value());
        message.headers().add(Event.ID_HEADER, Event.idToBytes(UUID.randomUUID()));
        return message;
    }

    @Override
    public void close() {
        producer.close();
    }
}
