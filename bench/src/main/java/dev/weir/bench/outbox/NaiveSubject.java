package dev.weir.bench.outbox;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** What many services write by hand: every 100 ms the oldest 100 rows, each sent, waited for and deleted. */
final class NaiveSubject implements Subject {
    private final DataSource database;
    private final KafkaProducer<String, String> producer;
    private final Lags lags;
    private final String payload;
    private volatile boolean started;
    private @Nullable Thread poller;

    NaiveSubject(DataSource database, KafkaProducer<String, String> producer, Lags lags, int bytes) throws Exception {
        this.database = database;
        this.producer = producer;
        this.lags = lags;
        this.payload = "x".repeat(bytes);
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE IF NOT EXISTS naive_outbox (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
                            + " n int, key text, payload text)");
        }
    }

    @Override
    public void commit(int number, String key) throws Exception {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            Subject.book(connection, number);
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO naive_outbox (n, key, payload) VALUES (?, ?, ?)")) {
                insert.setInt(1, number);
                insert.setString(2, key);
                insert.setString(3, payload);
                insert.executeUpdate();
            }
            connection.commit();
        }
    }

    @Override
    public void start() {
        started = true;
        poller = Thread.ofPlatform().start(() -> {
            while (started) {
                try {
                    if (poll() == 0) {
                        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
                    }
                } catch (Exception failed) {
                    throw new IllegalStateException("The naive poller failed.", failed);
                }
            }
        });
    }

    private int poll() throws Exception {
        int count = 0;
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement select = connection.prepareStatement(
                            "SELECT id, n, key, payload FROM naive_outbox ORDER BY id LIMIT 100 FOR UPDATE SKIP LOCKED");
                    PreparedStatement delete = connection.prepareStatement("DELETE FROM naive_outbox WHERE id = ?");
                    ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    var ignored = producer.send(
                                    new ProducerRecord<>("outbox-naive", rows.getString(3), rows.getString(4)))
                            .get();
                    lags.acknowledged(rows.getInt(2));
                    delete.setLong(1, rows.getLong(1));
                    delete.executeUpdate();
                    count++;
                }
            }
            connection.commit();
        }
        return count;
    }

    @Override
    public void close() {
        started = false;
        Thread running = poller;
        if (running != null) {
            Subject.join(running);
        }
    }
}
