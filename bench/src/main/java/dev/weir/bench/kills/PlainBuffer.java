package dev.weir.bench.kills;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * What many services write by hand: a bounded queue; every 50 ms up to 500 of its events are sent, and what fails goes into the queue
 * again.
 */
final class PlainBuffer implements AutoCloseable {
    private static final int CAPACITY = 10_000;
    private static final int BATCH = 500;
    private static final long FLUSH_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final BlockingQueue<ProducerRecord<byte[], byte[]>> queue = new LinkedBlockingQueue<>(CAPACITY);
    private final KafkaProducer<byte[], byte[]> producer;
    private final Thread flusher =
            Thread.ofPlatform().name("plain-buffer").daemon(true).unstarted(this::run);
    private volatile boolean closing;

    PlainBuffer(String bootstrap) {
        producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        bootstrap,
                        "acks",
                        "all",
                        "request.timeout.ms",
                        "2000",
                        "delivery.timeout.ms",
                        "3000",
                        "max.block.ms",
                        "1000"),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        flusher.start();
    }

    /** Takes an event; false when full. */
    boolean offer(String topic, byte[] key, byte[] value) {
        return queue.offer(new ProducerRecord<>(topic, key, value));
    }

    private void run() {
        while (!closing || !queue.isEmpty()) {
            if (queue.isEmpty()) {
                LockSupport.parkNanos(FLUSH_NANOS);
            }
            flush();
        }
    }

    private void flush() {
        List<ProducerRecord<byte[], byte[]>> batch = new ArrayList<>();
        queue.drainTo(batch, BATCH);
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        for (ProducerRecord<byte[], byte[]> event : batch) {
            sent.add(producer.send(event));
        }
        List<ProducerRecord<byte[], byte[]>> failed = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            if (!hasArrived(sent.get(i))) {
                failed.add(batch.get(i));
            }
        }
        failed.forEach(queue::offer);
    }

    private static boolean hasArrived(Future<RecordMetadata> sent) {
        try {
            return sent.get() != null;
        } catch (ExecutionException failed) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Sends what is left. */
    @Override
    public void close() {
        closing = true;
        try {
            flusher.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        producer.close();
    }
}
