package dev.weir.bench.kills;

import dev.weir.core.outbox.IdempotentHandler;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * A consumer that applies each event once, by {@link IdempotentHandler}: the batches it reads are transactions. Now and then it reads some
 * records again, as after a rebalance; when the database is away it goes back to where the batch began.
 */
final class Consumer implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    /** More than it goes back in all its partitions, so that it gets on. */
    private static final int REWIND_AFTER_RECORDS = 1_500;

    private static final long REWIND_RECORDS = 50;

    private final Scene scene;
    private final DataSource database;
    private final IdempotentHandler handler;
    private final List<TopicPartition> partitions;
    private final Map<TopicPartition, Long> positions = new HashMap<>();
    private final Thread thread =
            Thread.ofPlatform().name("kills-consumer").daemon(true).unstarted(this::run);
    private volatile Map<TopicPartition, Long> until = Map.of();
    private volatile boolean closing;

    private Consumer(Scene scene, DataSource database, List<TopicPartition> partitions) {
        this.scene = scene;
        this.database = database;
        this.handler = new IdempotentHandler(scene.seenTable(), "totals");
        this.partitions = partitions;
        partitions.forEach(partition -> positions.put(partition, 0L));
    }

    static Consumer start(Scene scene, DataSource database, List<TopicPartition> partitions) {
        Consumer consumer = new Consumer(scene, database, partitions);
        consumer.thread.start();
        return consumer;
    }

    /** Repetitions left out, those that it read again by itself included. */
    long leftOut() {
        return handler.duplicates();
    }

    /** Waits until it has applied all before these offsets, and ends it. */
    void finish(Map<TopicPartition, Long> ends) throws InterruptedException {
        until = Map.copyOf(ends);
        thread.join();
    }

    private boolean isThrough() {
        Map<TopicPartition, Long> ends = until;
        return !ends.isEmpty() && ends.entrySet().stream().allMatch(end -> position(end.getKey()) >= end.getValue());
    }

    private long position(TopicPartition partition) {
        return Objects.requireNonNull(positions.get(partition));
    }

    private void run() {
        Map<String, Object> settings =
                Map.of("bootstrap.servers", scene.bootstrap(), "enable.auto.commit", false, "max.poll.records", 200);
        try (KafkaConsumer<byte[], byte[]> kafka =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            kafka.assign(partitions);
            seek(kafka);
            int since = 0;
            while (!closing && !isThrough()) {
                since += step(kafka);
                if (since >= REWIND_AFTER_RECORDS) {
                    positions.replaceAll((partition, next) -> Math.max(0, next - REWIND_RECORDS));
                    seek(kafka);
                    since = 0;
                }
            }
        }
    }

    private void seek(KafkaConsumer<byte[], byte[]> kafka) {
        positions.forEach(kafka::seek);
    }

    /** Reads and applies a batch; answers of how many records. */
    private int step(KafkaConsumer<byte[], byte[]> kafka) {
        ConsumerRecords<byte[], byte[]> records = kafka.poll(POLL);
        try {
            apply(records);
        } catch (SQLException away) {
            LockSupport.parkNanos(PAUSE_NANOS);
            seek(kafka);
            return 0;
        }
        for (TopicPartition partition : records.partitions()) {
            positions.put(partition, records.records(partition).getLast().offset() + 1);
        }
        return records.count();
    }

    private void apply(ConsumerRecords<byte[], byte[]> records) throws SQLException {
        if (records.isEmpty()) {
            return;
        }
        List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
        records.forEach(all::add);
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            for (ConsumerRecord<byte[], byte[]> each : all) {
                UUID id = Objects.requireNonNull(Message.idOf(each), "An event without an id.");
                var ignored = handler.handle(connection, id, transaction -> book(transaction, Message.of(each)));
            }
            connection.commit();
        }
    }

    /** Counts how many events of the key were applied, and how many of them behind a later one. */
    private void book(Connection transaction, Message message) throws SQLException {
        try (PreparedStatement statement = transaction.prepareStatement("INSERT INTO " + scene.totalsTable()
                + " AS t (key, last, applied, behind) VALUES (?, ?, 1, 0) ON CONFLICT (key) DO UPDATE SET"
                + " applied = t.applied + 1, behind = t.behind + (excluded.last <= t.last)::int,"
                + " last = greatest(t.last, excluded.last)")) {
            statement.setString(1, message.key());
            statement.setInt(2, message.number());
            statement.executeUpdate();
        }
    }

    @Override
    public void close() {
        closing = true;
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
