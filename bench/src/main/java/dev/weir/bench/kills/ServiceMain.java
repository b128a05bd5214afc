package dev.weir.bench.kills;

import com.zaxxer.hikari.HikariDataSource;
import dev.weir.core.outbox.KafkaTarget;
import dev.weir.core.outbox.Outbox;
import dev.weir.core.outbox.Relay;
import dev.weir.core.publish.KafkaTransports;
import dev.weir.core.publish.PublisherConfig;
import dev.weir.core.publish.SpooledPublisher;
import dev.weir.core.publish.spool.SpoolConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A service that publishes in all ways at once until it is killed: the words of a {@link Scene}, its number, its folder. Says "ready" when
 * it writes. At the line "finish" it writes no more, waits until the outbox and its spool are empty, and ends; with its starter it dies.
 */
final class ServiceMain {
    private static final PublisherConfig PUBLISHER =
            PublisherConfig.defaults().withRetries(5, Duration.ofMillis(50), Duration.ofSeconds(1));
    private static final int WRITERS = 2;
    private static final long OUTBOX_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(8);
    private static final long BUFFER_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(8);
    private static final long TROUBLE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int ROLLED_BACK_OF = 8;
    /** Events of a writer that are not durable yet, at most. */
    private static final int UNDER_WAY = 100;

    private final Scene scene;
    private final int instance;
    private final HikariDataSource database = new HikariDataSource();
    private final Outbox outbox;
    private final Relay relay;
    private final SpooledPublisher spooled;
    private final PlainBuffer plain;
    private final Ledger spoolLedger;
    private final Ledger plainLedger;
    private volatile boolean finishing;

    private ServiceMain(Scene scene, int instance, Path folder) throws IOException {
        this.scene = scene;
        this.instance = instance;
        database.setJdbcUrl(scene.jdbcUrl());
        database.setUsername(scene.user());
        database.setPassword(scene.password());
        database.setMaximumPoolSize(WRITERS + 2);
        database.setMinimumIdle(0);
        database.setInitializationFailTimeout(-1);
        KafkaTransports transports = KafkaTransports.of(Map.of("bootstrap.servers", scene.bootstrap()), PUBLISHER);
        outbox = new Outbox(scene.outbox());
        relay = Relay.start(scene.outbox(), outbox, database, new KafkaTarget(transports, PUBLISHER.maxEventBytes()));
        spooled = SpooledPublisher.start(
                folder.resolve("spool"), SpoolConfig.defaults().withSegmentBytes(1 << 16), PUBLISHER, transports);
        plain = new PlainBuffer(scene.bootstrap());
        spoolLedger = new Ledger(folder.resolve(Way.SPOOL.file()));
        plainLedger = new Ledger(folder.resolve(Way.PLAIN.file()));
    }

    public static void main(String[] args) throws Exception {
        List<String> words = Arrays.asList(args);
        Scene scene = Scene.parse(words);
        int rest = scene.words().size();
        ServiceMain service = new ServiceMain(scene, Integer.parseInt(words.get(rest)), Path.of(words.get(rest + 1)));
        Thread.ofPlatform().daemon(true).start(service::obey);
        service.run();
        System.exit(0);
    }

    /** The starter's end closes this process's input. */
    private void obey() {
        try (BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = orders.readLine(); line != null; line = orders.readLine()) {
                finishing = finishing || line.equals("finish");
            }
        } catch (IOException closed) {
            // The same as the end.
        }
        Runtime.getRuntime().halt(1);
    }

    private void run() throws InterruptedException {
        List<Thread> writers = new ArrayList<>();
        for (int writer = 0; writer < WRITERS; writer++) {
            int number = writer;
            writers.add(Thread.ofPlatform().start(this::commitEvents));
            writers.add(Thread.ofPlatform().start(() -> spoolEvents(number)));
            writers.add(Thread.ofPlatform().start(() -> bufferEvents(number)));
        }
        System.out.println("ready");
        System.out.flush();
        for (Thread writer : writers) {
            writer.join();
        }
        while (spooled.waiting() > 0 || !isOutboxEmpty()) {
            LockSupport.parkNanos(TROUBLE_NANOS);
        }
        relay.close();
        spooled.close();
        plain.close();
        database.close();
    }

    private static void pause(long meanNanos) {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(2 * meanNanos));
    }

    private void commitEvents() {
        while (!finishing) {
            try {
                commitEvent(ThreadLocalRandom.current().nextInt(Scene.OUTBOX_KEYS));
                pause(OUTBOX_PAUSE_NANOS);
            } catch (SQLException away) {
                LockSupport.parkNanos(TROUBLE_NANOS);
            }
        }
    }

    /** A row is updated and an event added; now and then all of it is rolled back, and the next one of the key gets the same number. */
    private void commitEvent(int key) throws SQLException {
        boolean rolledBack = ThreadLocalRandom.current().nextInt(ROLLED_BACK_OF) == 0;
        String name = "key-" + key;
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            int number = countUp(connection, name);
            var ignored = outbox.add(connection, new Message(name, number, rolledBack).event(scene.topic(Way.OUTBOX)));
            if (rolledBack) {
                connection.rollback();
            } else {
                connection.commit();
            }
        }
        outbox.committed();
    }

    private int countUp(Connection connection, String key) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "UPDATE " + scene.keyTable() + " SET number = number + 1 WHERE key = ? RETURNING number")) {
            statement.setString(1, key);
            try (ResultSet rows = statement.executeQuery()) {
                if (!rows.next()) {
                    throw new IllegalStateException("The key " + key + " is not in its table.");
                }
                return rows.getInt(1);
            }
        }
    }

    private boolean isOutboxEmpty() {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(
                        "SELECT NOT EXISTS (SELECT 1 FROM " + scene.outbox().table() + ")");
                ResultSet rows = statement.executeQuery()) {
            return rows.next() && rows.getBoolean(1);
        } catch (SQLException away) {
            return false;
        }
    }

    private void spoolEvents(int writer) {
        Semaphore underWay = new Semaphore(UNDER_WAY);
        for (int i = 0; !finishing; i++) {
            underWay.acquireUninterruptibly();
            int key = writer + WRITERS * (i % (Ledger.KEYS / WRITERS));
            int number = spoolLedger.begin(key);
            var ignored = spooled.publish(
                            new Message(Ledger.keyName(instance, key), number, false).event(scene.topic(Way.SPOOL)))
                    .whenComplete((id, failure) -> {
                        if (failure == null) {
                            spoolLedger.acknowledge(key, number);
                        }
                        underWay.release();
                    });
            pause(BUFFER_PAUSE_NANOS);
        }
    }

    private void bufferEvents(int writer) {
        for (int i = 0; !finishing; i++) {
            int key = writer + WRITERS * (i % (Ledger.KEYS / WRITERS));
            int number = plainLedger.begin(key);
            Message message = new Message(Ledger.keyName(instance, key), number, false);
            if (plain.offer(scene.topic(Way.PLAIN), message.keyBytes(), message.value())) {
                plainLedger.acknowledge(key, number);
            }
            pause(BUFFER_PAUSE_NANOS);
        }
    }
}
