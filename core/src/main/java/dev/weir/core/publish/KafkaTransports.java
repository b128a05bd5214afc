package dev.weir.core.publish;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Transports to a Kafka cluster. Settings of the client are given by Kafka's own names and passed through; those the order and the
 * durability hang on cannot be changed. What is not given gets a value that fits batches: batch.size 128 KiB, buffer.memory twice the
 * publisher's, max.block.ms 500, delivery.timeout.ms the publisher's give-up-after.
 */
public final class KafkaTransports implements TransportFactory {
    private static final int BATCH_BYTES = 128 * 1024;
    private static final int MAX_BLOCK_MILLIS = 500;
    private static final int REQUEST_OVERHEAD_BYTES = 1024;
    private static final long LEAST_MEMORY_BYTES = 32L << 20;
    private static final int OPENERS = 4;

    private final Map<String, Object> settings;
    private final ExecutorService openers;
    private volatile @Nullable Producer<byte[], byte[]> current;

    private KafkaTransports(Map<String, Object> settings) {
        this.settings = settings;
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                OPENERS,
                OPENERS,
                5,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Thread.ofPlatform().name("weir-publish-topics-", 0).daemon(true).factory());
        pool.allowCoreThreadTimeOut(true);
        this.openers = pool;
    }

    /**
     * Transports with these client settings, which must name bootstrap.servers.
     *
     * @throws IllegalArgumentException if a setting would break what the publisher promises
     */
    public static KafkaTransports of(Map<String, ?> client, PublisherConfig publisher) {
        return new KafkaTransports(settings(client, publisher));
    }

    static Map<String, Object> settings(Map<String, ?> client, PublisherConfig publisher) {
        Map<String, Object> settings = new TreeMap<>(client);
        if (!settings.containsKey(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG)) {
            throw new IllegalArgumentException(
                    "Publisher: bootstrap.servers is missing; give the brokers' addresses, such as kafka:9092.");
        }
        fix(settings, ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
        fix(settings, ProducerConfig.ACKS_CONFIG, "all");
        refuse(settings, ProducerConfig.TRANSACTIONAL_ID_CONFIG, "its transactions would end with each connection");
        refuse(
                settings,
                ProducerConfig.PARTITIONER_CLASS_CONFIG,
                "one that looks past the key breaks the order per key");
        refuse(settings, ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, "events are bytes");
        refuse(settings, ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, "events are bytes");
        if (String.valueOf(settings.get(ProducerConfig.PARTITIONER_IGNORE_KEYS_CONFIG))
                .equalsIgnoreCase("true")) {
            throw notAllowed(ProducerConfig.PARTITIONER_IGNORE_KEYS_CONFIG, "true", "false");
        }
        settings.putIfAbsent(ProducerConfig.BATCH_SIZE_CONFIG, BATCH_BYTES);
        settings.putIfAbsent(
                ProducerConfig.BUFFER_MEMORY_CONFIG, Math.max(LEAST_MEMORY_BYTES, 2 * publisher.bufferBytes()));
        settings.putIfAbsent(ProducerConfig.MAX_BLOCK_MS_CONFIG, MAX_BLOCK_MILLIS);
        settings.putIfAbsent(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, deliveryTimeout(settings, publisher));
        settings.putIfAbsent(
                ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
                Math.max(1 << 20, publisher.maxEventBytes() + REQUEST_OVERHEAD_BYTES));
        return settings;
    }

    /** The client refuses a delivery timeout below linger and request timeout together. */
    private static int deliveryTimeout(Map<String, Object> settings, PublisherConfig publisher) {
        long least = number(settings, ProducerConfig.LINGER_MS_CONFIG, 5)
                + number(settings, ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 30_000);
        return (int) Math.min(
                Integer.MAX_VALUE, Math.max(least, publisher.giveUpAfter().toMillis()));
    }

    private static long number(Map<String, Object> settings, String name, long usual) {
        Object given = settings.get(name);
        try {
            return given == null ? usual : Long.parseLong(given.toString().trim());
        } catch (NumberFormatException unreadable) {
            throw new IllegalArgumentException(
                    "Publisher: " + name + " is " + given + "; allowed is a whole number.", unreadable);
        }
    }

    private static void fix(Map<String, Object> settings, String name, String only) {
        Object given = settings.put(name, only);
        if (given != null && !isSame(given.toString().toLowerCase(Locale.ROOT), only)) {
            throw notAllowed(name, given, only);
        }
    }

    private static boolean isSame(String given, String only) {
        return given.equals(only) || (only.equals("all") && given.equals("-1"));
    }

    private static IllegalArgumentException notAllowed(String name, Object given, String only) {
        return new IllegalArgumentException("Publisher: " + name + " is " + given + "; only " + only
                + " keeps the order per key and loses nothing. Remove the setting.");
    }

    private static void refuse(Map<String, Object> settings, String name, String reason) {
        if (settings.containsKey(name)) {
            throw new IllegalArgumentException(
                    "Publisher: " + name + " cannot be set: " + reason + ". Remove the setting.");
        }
    }

    @Override
    public Transport create() {
        Producer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
        current = producer;
        return new KafkaTransport(producer, openers);
    }

    /** The client's own metrics, of the producer in use; empty before the first. */
    public Map<MetricName, ? extends Metric> metrics() {
        Producer<byte[], byte[]> producer = current;
        return producer == null ? Map.of() : producer.metrics();
    }
}
