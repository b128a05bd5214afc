package dev.weir.bench.kills;

import dev.weir.bench.kills.Tally.Expected;
import dev.weir.bench.kills.Tally.Findings;
import dev.weir.core.outbox.IdempotentHandler;
import dev.weir.core.outbox.OutboxSchema;
import dev.weir.core.publish.KafkaTopics;
import dev.weir.stack.Stack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;
import org.apache.kafka.common.TopicPartition;

/** Runs the service under faults and holds what came of its events against what should have. */
final class Trial {
    private static final int INSTANCES = 2;
    private static final int PARTITIONS = 4;

    /**
     * What came of one scene.
     *
     * @param findings by way
     * @param parked events of the outbox set aside, which none should be
     * @param applied events that the consumer applied, of outbox and spool
     * @param appliedWrongly events that it applied behind a later one of their key, or more often than they were there
     * @param leftOut repetitions that it left out, with those it read again by itself
     * @param seconds it took
     */
    record Outcome(
            Map<Way, Findings> findings, long parked, long applied, long appliedWrongly, long leftOut, double seconds) {
        Findings of(Way way) {
            return Objects.requireNonNull(findings.get(way));
        }

        /** Whether Weir kept what it promises. */
        boolean holds() {
            return of(Way.OUTBOX).holds() && of(Way.SPOOL).holds() && parked == 0 && appliedWrongly == 0;
        }
    }

    private final Stack stack;
    private final DataSource database;
    private final Path folder;
    private final KafkaTopics topics;

    Trial(Stack stack, DataSource database, Path folder) {
        this.stack = stack;
        this.database = database;
        this.folder = folder;
        this.topics = new KafkaTopics(stack.kafka().bootstrap());
    }

    Outcome run(String name, Faults faults) throws Exception {
        long started = System.nanoTime();
        Scene scene = Scene.on(stack, name);
        prepare(scene);
        List<Instance> instances = new ArrayList<>();
        try (Consumer consumer = Consumer.start(scene, database, partitions(scene))) {
            for (int i = 0; i < INSTANCES; i++) {
                instances.add(new Instance(scene, i, Files.createDirectories(folderOf(scene, i))));
            }
            faults.inflict(instances);
            finish(instances);
            consumer.finish(topics.ends(partitions(scene)));
            return outcome(scene, consumer, started);
        } finally {
            instances.forEach(Instance::close);
        }
    }

    private Path folderOf(Scene scene, int instance) {
        return folder.resolve(scene.name() + "-" + instance);
    }

    private void prepare(Scene scene) throws Exception {
        for (Way way : Way.values()) {
            topics.create(scene.topic(way), PARTITIONS, Map.of());
        }
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            OutboxSchema.create(connection, scene.outbox());
            for (String sql : IdempotentHandler.schema(scene.seenTable())) {
                statement.execute(sql);
            }
            statement.execute("CREATE TABLE " + scene.keyTable() + " (key text PRIMARY KEY, number int NOT NULL)");
            statement.execute("INSERT INTO " + scene.keyTable() + " SELECT 'key-' || n, 0 FROM generate_series(0, "
                    + (Scene.OUTBOX_KEYS - 1) + ") n");
            statement.execute("CREATE TABLE " + scene.totalsTable()
                    + " (key text PRIMARY KEY, last int NOT NULL, applied int NOT NULL, behind int NOT NULL)");
        }
    }

    /** What has an id is for the consumer. */
    private static List<TopicPartition> partitions(Scene scene) {
        List<TopicPartition> partitions = new ArrayList<>();
        for (Way way : List.of(Way.OUTBOX, Way.SPOOL)) {
            for (int i = 0; i < PARTITIONS; i++) {
                partitions.add(new TopicPartition(scene.topic(way), i));
            }
        }
        return partitions;
    }

    /** Those who died come back, side by side, and all deliver what is left. */
    private static void finish(List<Instance> instances) throws IOException, InterruptedException {
        List<Instance> unfinished =
                instances.stream().filter(instance -> !instance.hasFinished()).toList();
        List<Instance> dead =
                unfinished.stream().filter(instance -> !instance.isRunning()).toList();
        for (Instance instance : dead) {
            instance.start();
        }
        for (Instance instance : dead) {
            instance.awaitReady();
        }
        for (Instance instance : unfinished) {
            instance.requestFinish();
        }
        for (Instance instance : unfinished) {
            instance.awaitFinish();
        }
    }

    private Outcome outcome(Scene scene, Consumer consumer, long started) throws Exception {
        Map<Way, Findings> findings = new EnumMap<>(Way.class);
        findings.put(Way.OUTBOX, findings(scene, Way.OUTBOX, committed(scene)));
        findings.put(Way.SPOOL, findings(scene, Way.SPOOL, acknowledged(scene, Way.SPOOL)));
        findings.put(Way.PLAIN, findings(scene, Way.PLAIN, acknowledged(scene, Way.PLAIN)));
        long delivered = Objects.requireNonNull(findings.get(Way.OUTBOX)).delivered()
                + Objects.requireNonNull(findings.get(Way.SPOOL)).delivered();
        long applied = number("SELECT coalesce(sum(applied), 0) FROM " + scene.totalsTable());
        long behind = number("SELECT coalesce(sum(behind), 0) FROM " + scene.totalsTable());
        return new Outcome(
                findings,
                number("SELECT count(*) FROM " + scene.outbox().table() + "_parked"),
                applied,
                behind + Math.abs(applied - delivered),
                consumer.leftOut(),
                (System.nanoTime() - started) / 1e9);
    }

    private Findings findings(Scene scene, Way way, Map<String, Expected> expected) {
        Tally tally = new Tally();
        topics.forEach(scene.topic(way), read -> {
            Message message = Message.of(read);
            if (message.rolledBack()) {
                tally.sawRolledBack();
            } else {
                tally.saw(message.key(), message.number(), Message.idOf(read));
            }
        });
        return tally.against(expected);
    }

    /** The database's word: the number in a key's row was counted up by the transactions that committed, and by no others. */
    private Map<String, Expected> committed(Scene scene) throws SQLException {
        Map<String, Expected> expected = new HashMap<>();
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT key, number FROM " + scene.keyTable())) {
            while (rows.next()) {
                expected.put(rows.getString(1), Expected.all(rows.getInt(2)));
            }
        }
        return expected;
    }

    private Map<String, Expected> acknowledged(Scene scene, Way way) throws IOException {
        Map<String, Expected> expected = new HashMap<>();
        for (int instance = 0; instance < INSTANCES; instance++) {
            Ledger ledger = new Ledger(folderOf(scene, instance).resolve(way.file()));
            for (int key = 0; key < Ledger.KEYS; key++) {
                expected.put(Ledger.keyName(instance, key), ledger.expected(key));
            }
        }
        return expected;
    }

    private long number(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getLong(1) : 0;
        }
    }
}
