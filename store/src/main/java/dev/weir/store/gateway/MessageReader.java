package dev.weir.store.gateway;

import dev.weir.core.time.NanoClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads accepted messages from Kafka and gives them to the {@link Dispatcher}, ahead of their being sent: a client's ten messages that
 * lie behind another's 100,000 can only have their turn when they have been read. One thread, which owns the consumer. What the database
 * says to have ended is left out, so repeated records are harmless.
 */
final class MessageReader implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(MessageReader.class);
    private static final String GROUP = "store-gateway";
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final Duration COMMIT_TIME = Duration.ofSeconds(2);
    private static final Duration ENDS_TIME = Duration.ofSeconds(2);
    private static final long COMMIT_NANOS = Duration.ofSeconds(1).toNanos();
    /** After a kill, others have its partitions this much later; brokers allow no less than 6 s. */
    private static final int SESSION_MILLIS = 10_000;

    private static final int HEARTBEAT_MILLIS = 2_000;

    private final Map<String, Object> settings;
    private final String topic;
    private final int readAhead;
    private final MessageTable table;
    private final Dispatcher dispatcher;
    private final IntSupplier waiting;
    private final Lease lease;
    private final NanoClock clock;
    private final Thread thread =
            Thread.ofPlatform().name("store-gateway-read").daemon(true).unstarted(this::run);
    private volatile @Nullable KafkaConsumer<byte[], byte[]> current;
    private volatile boolean closing;
    private long committedNanos;

    /** Longest time that {@link #close} takes. */
    static final Duration CLOSE_TIME = Duration.ofSeconds(6);

    /**
     * Waits for {@link #start}.
     *
     * @param client settings of Kafka's client
     * @param readAhead so many messages in hand are enough
     * @param waiting how many are in hand
     * @param lease told of each commit that Kafka has taken
     */
    MessageReader(
            Map<String, String> client,
            String topic,
            int readAhead,
            MessageTable table,
            Dispatcher dispatcher,
            IntSupplier waiting,
            Lease lease,
            NanoClock clock) {
        this.settings = new HashMap<>(client);
        settings.putIfAbsent(ConsumerConfig.GROUP_ID_CONFIG, GROUP);
        settings.putIfAbsent(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, SESSION_MILLIS);
        settings.putIfAbsent(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, HEARTBEAT_MILLIS);
        settings.putIfAbsent(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 1_000);
        // With it only those partitions are given up that another instance gets, and what is in memory of the others
        // stays.
        settings.putIfAbsent(
                ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, CooperativeStickyAssignor.class.getName());
        // What the gateway promises hangs on these.
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        this.topic = topic;
        this.readAhead = readAhead;
        this.table = table;
        this.dispatcher = dispatcher;
        this.waiting = waiting;
        this.lease = lease;
        this.clock = clock;
    }

    void start() {
        thread.start();
    }

    /** After which Kafka gives the partitions of an instance that is silent to others. */
    static Duration session(Map<String, String> client) {
        String millis = client.get(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG);
        return Duration.ofMillis(millis == null ? SESSION_MILLIS : Long.parseLong(millis.strip()));
    }

    private void run() {
        try {
            while (!closing) {
                readUntilTrouble();
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private void readUntilTrouble() throws InterruptedException {
        try (var consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            current = consumer;
            var changes = new Changes(consumer);
            consumer.subscribe(List.of(topic), changes);
            try {
                read(consumer);
            } finally {
                dispatcher.forget(Set.copyOf(changes.owned()));
            }
        } catch (WakeupException ended) {
            log.debug("The reader was told to end");
        } catch (RuntimeException trouble) {
            log.warn("Messages cannot be read from Kafka, another try follows: {}", trouble.toString());
            TimeUnit.MILLISECONDS.sleep(RETRY.toMillis());
        } finally {
            current = null;
        }
    }

    private void read(KafkaConsumer<byte[], byte[]> consumer) throws InterruptedException {
        committedNanos = clock.nanoTime() - COMMIT_NANOS;
        while (!closing) {
            if (waiting.getAsInt() >= readAhead) {
                consumer.pause(consumer.assignment());
            } else {
                consumer.resume(consumer.paused());
            }
            ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
            if (!records.isEmpty()) {
                take(consumer, records);
            }
            commit(consumer);
        }
        consumer.commitSync(offsets(consumer.assignment()), COMMIT_TIME);
    }

    /** Every second, however little there is to commit: that Kafka takes it shows that the partitions are this instance's. */
    private void commit(KafkaConsumer<byte[], byte[]> consumer) {
        long now = clock.nanoTime();
        if (now - committedNanos < COMMIT_NANOS) {
            return;
        }
        Map<TopicPartition, OffsetAndMetadata> offsets = offsets(consumer.assignment());
        addPositions(consumer, offsets);
        if (!offsets.isEmpty()) {
            committedNanos = now;
            consumer.commitAsync(offsets, (committed, failure) -> {
                if (failure == null) {
                    lease.confirmed(now);
                }
            });
        }
    }

    private void take(KafkaConsumer<byte[], byte[]> consumer, ConsumerRecords<byte[], byte[]> records)
            throws InterruptedException {
        List<InHand.Arrived> read = new ArrayList<>();
        List<UUID> ids = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            Outgoing message = message(record);
            read.add(new InHand.Arrived(record.partition(), record.offset(), message));
            if (message != null) {
                ids.add(message.id());
            }
        }
        Set<UUID> open;
        try {
            open = ids.isEmpty() ? Set.of() : table.open(ids);
        } catch (RuntimeException noDatabase) {
            log.warn("Messages read cannot be compared with the database: {}", noDatabase.toString());
            records.partitions()
                    .forEach(partition -> consumer.seek(
                            partition, records.records(partition).getFirst().offset()));
            TimeUnit.MILLISECONDS.sleep(RETRY.toMillis());
            return;
        }
        dispatcher.take(read, open);
    }

    private @Nullable Outgoing message(ConsumerRecord<byte[], byte[]> record) {
        try {
            return Outgoing.of(record.value());
        } catch (IllegalArgumentException foreign) {
            log.error(
                    "The record at offset {} of partition {} of {} is no message of this gateway and is left out: {}",
                    record.offset(),
                    record.partition(),
                    topic,
                    foreign.toString());
            return null;
        }
    }

    private Map<TopicPartition, OffsetAndMetadata> offsets(Collection<TopicPartition> owned) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        Map<Integer, Long> committable = dispatcher.committable();
        for (TopicPartition partition : owned) {
            Long offset = committable.get(partition.partition());
            if (offset != null) {
                offsets.put(partition, new OffsetAndMetadata(offset));
            }
        }
        return offsets;
    }

    /** Of partitions in which nothing was read: where they stand. */
    private static void addPositions(
            KafkaConsumer<byte[], byte[]> consumer, Map<TopicPartition, OffsetAndMetadata> offsets) {
        for (TopicPartition partition : consumer.assignment()) {
            if (!offsets.containsKey(partition)) {
                try {
                    offsets.put(partition, new OffsetAndMetadata(consumer.position(partition, Duration.ZERO)));
                } catch (TimeoutException notKnownYet) {
                    log.debug("The position in {} is not known yet", partition);
                }
            }
        }
    }

    /** Stops reading, within {@link #CLOSE_TIME}; what was done with by then is committed. */
    @Override
    public void close() {
        closing = true;
        try {
            if (!thread.isAlive() || thread.join(COMMIT_TIME.plus(ENDS_TIME))) {
                return;
            }
            KafkaConsumer<byte[], byte[]> consumer = current;
            if (consumer != null) {
                consumer.wakeup();
            }
            if (!thread.join(CLOSE_TIME.minus(COMMIT_TIME).minus(ENDS_TIME))) {
                thread.interrupt();
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    /** Follows which partitions are this instance's; called by the consumer within poll and close. */
    private final class Changes implements ConsumerRebalanceListener {

        private final KafkaConsumer<byte[], byte[]> consumer;
        private final List<Integer> owned = new ArrayList<>();

        Changes(KafkaConsumer<byte[], byte[]> consumer) {
            this.consumer = consumer;
        }

        List<Integer> owned() {
            return List.copyOf(owned);
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            log.info("{} partitions of {} are this gateway's", partitions.size(), topic);
            partitions.forEach(partition -> owned.add(partition.partition()));
        }

        /** What is under way ends first, where it ends soon: the next owner then does not send it again. */
        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            Set<Integer> gone = numbers(partitions);
            dispatcher.fence(gone);
            try {
                dispatcher.awaitEnds(gone, ENDS_TIME);
                consumer.commitSync(offsets(partitions), COMMIT_TIME);
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException notCommitted) {
                log.info("Offsets are not committed, their records will be read again: {}", notCommitted.toString());
            }
            onPartitionsLost(partitions);
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            Set<Integer> gone = numbers(partitions);
            dispatcher.forget(gone);
            owned.removeAll(gone);
        }

        private static Set<Integer> numbers(Collection<TopicPartition> partitions) {
            return partitions.stream().map(TopicPartition::partition).collect(Collectors.toSet());
        }
    }
}
