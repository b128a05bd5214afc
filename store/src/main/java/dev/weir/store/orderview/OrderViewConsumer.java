package dev.weir.store.orderview;

import dev.weir.store.orderevents.KafkaServers;
import dev.weir.store.orderevents.OrderEvent;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/**
 * Reads the topic of orders' events into the read model, on one thread of its own; does nothing without Kafka.
 *
 * <p>Offsets are committed after the database has the events, so that none is skipped; those of a batch whose offsets were
 * not committed come again and are left out by their numbers. Where the database takes nothing, the batch is read again
 * after a pause. What cannot be read is counted, logged, and passed over: it would stand in the way for ever.
 */
@Component
class OrderViewConsumer implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(OrderViewConsumer.class);
    private static final int SESSION_MILLIS = 10_000;
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration STOP = Duration.ofSeconds(10);

    private final KafkaServers kafka;
    private final OrderView view;
    private final Counter unreadable;
    private @Nullable Reading reading;

    OrderViewConsumer(KafkaServers kafka, OrderView view, MeterRegistry meters) {
        this.kafka = kafka;
        this.view = view;
        this.unreadable = Counter.builder("store.order.view.unreadable")
                .description("Messages of the topic that are no event of an order")
                .register(meters);
    }

    @Override
    public synchronized void start() {
        if (kafka.present()) {
            reading = new Reading();
            reading.thread.start();
        }
    }

    @Override
    public synchronized void stop() {
        if (reading != null) {
            reading.stop();
            reading = null;
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return reading != null;
    }

    private Consumer<byte[], byte[]> connect() {
        return new KafkaConsumer<>(
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        kafka.joined(),
                        ConsumerConfig.GROUP_ID_CONFIG,
                        "store-order-view",
                        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                        "earliest",
                        ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                        false,
                        // After a kill another store goes on so much later; the client's own 45 s are for larger
                        // groups.
                        ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
                        SESSION_MILLIS),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    private List<OrderEvent> read(ConsumerRecords<byte[], byte[]> records) {
        List<OrderEvent> events = new ArrayList<>(records.count());
        for (ConsumerRecord<byte[], byte[]> record : records) {
            try {
                events.add(OrderEvent.read(record.value() == null ? new byte[0] : record.value()));
            } catch (IOException e) {
                unreadable.increment();
                log.warn(
                        "Offset {} of {}-{} is passed over. {}",
                        record.offset(),
                        record.topic(),
                        record.partition(),
                        e.getMessage());
            }
        }
        return events;
    }

    /** From a start to a stop. */
    private final class Reading {

        final Thread thread =
                Thread.ofPlatform().name("store-order-view").daemon().unstarted(this::run);
        private final CountDownLatch stopped = new CountDownLatch(1);
        private volatile @Nullable Consumer<byte[], byte[]> consumer;

        void run() {
            while (!isStopped()) {
                try (Consumer<byte[], byte[]> connected = connect()) {
                    consumer = connected;
                    connected.subscribe(List.of(OrderEvent.TOPIC));
                    while (!isStopped()) {
                        turn(connected);
                    }
                } catch (WakeupException e) {
                    // Woken to stop.
                } catch (KafkaException | IllegalStateException e) {
                    log.warn("The order view reads no events, and tries again: {}", e.toString());
                    pause();
                }
            }
        }

        private void turn(Consumer<byte[], byte[]> connected) {
            ConsumerRecords<byte[], byte[]> records = connected.poll(POLL);
            if (records.isEmpty()) {
                return;
            }
            try {
                view.apply(read(records));
            } catch (DataAccessException | TransactionException e) {
                log.warn("The order view cannot be written, and its events are read again: {}", e.getMessage());
                rewind(connected, records);
                pause();
                return;
            }
            connected.commitSync();
        }

        private static void rewind(Consumer<byte[], byte[]> connected, ConsumerRecords<byte[], byte[]> records) {
            for (TopicPartition partition : records.partitions()) {
                connected.seek(partition, records.records(partition).getFirst().offset());
            }
        }

        private boolean isStopped() {
            return stopped.getCount() == 0;
        }

        private void pause() {
            try {
                // Ends early when it is stopped; either way the loop looks itself.
                boolean early = stopped.await(PAUSE.toNanos(), TimeUnit.NANOSECONDS);
                log.trace("Paused, stopped meanwhile: {}", early);
            } catch (InterruptedException e) {
                stopped.countDown();
            }
        }

        void stop() {
            stopped.countDown();
            Consumer<byte[], byte[]> current = consumer;
            if (current != null) {
                current.wakeup();
            }
            try {
                if (!thread.join(STOP)) {
                    log.warn("The order view is still reading after {} s.", STOP.toSeconds());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
