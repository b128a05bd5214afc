package dev.weir.core.outbox;

import static dev.weir.core.publish.TestServers.await;
import static dev.weir.core.publish.TestServers.dealt;
import static dev.weir.core.publish.TestServers.numbers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.weir.core.publish.Event;
import dev.weir.core.publish.KafkaTopics;
import dev.weir.core.publish.KafkaTransports;
import dev.weir.core.publish.PublisherConfig;
import dev.weir.core.publish.TestServers;
import dev.weir.core.time.NanoClock;
import dev.weir.stack.Stack;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The outbox on a real PostgreSQL and a real Kafka. Each test has its own tables and topic. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OutboxIT {
    static final OutboxConfig CONFIG = OutboxConfig.defaults()
            .withPollInterval(Duration.ofMillis(50))
            .withLeaseTime(Duration.ofSeconds(2))
            .withRetries(3, Duration.ofMillis(50), Duration.ofMillis(100));
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private static Stack stack;
    private static KafkaTopics topics;
    private static HikariDataSource database;

    private OutboxConfig config;
    private Outbox outbox;
    private String topic;

    private interface InTransaction {
        void run(Connection transaction) throws Exception;
    }

    @BeforeAll
    static void start() {
        stack = TestServers.start();
        topics = new KafkaTopics(stack.kafka().bootstrap());
        database = TestServers.pool(stack);
    }

    @AfterAll
    static void stop() {
        database.close();
        stack.close();
    }

    @BeforeEach
    void tables() throws Exception {
        int number = NUMBER.incrementAndGet();
        topic = "events-" + number;
        use(CONFIG.withTable("outbox_" + number));
        topics.create(topic, 3, Map.of());
    }

    private void use(OutboxConfig other) throws SQLException {
        config = other;
        outbox = new Outbox(config);
        try (Connection connection = database.getConnection()) {
            OutboxSchema.create(connection, config);
        }
    }

    private Relay relay(Target target) {
        return Relay.start(config, outbox, database, target);
    }

    private static Target kafka() {
        return new KafkaTarget(
                KafkaTransports.of(Map.of("bootstrap.servers", stack.kafka().bootstrap()), PublisherConfig.defaults()),
                1_000_000);
    }

    private void commit(InTransaction work) throws Exception {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            work.run(connection);
            connection.commit();
        }
        outbox.committed();
    }

    private Event event(String key, String text) {
        return Event.of(topic, key, text.getBytes(StandardCharsets.UTF_8));
    }

    private long rows(String table) {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(*) FROM " + table)) {
            return rows.next() ? rows.getLong(1) : 0;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void deliversWhatWasCommittedAndNothingThatWasRolledBack() throws Exception {
        try (Relay relay = relay(kafka())) {
            commit(transaction -> {
                for (int i = 0; i < 50; i++) {
                    outbox.add(transaction, event("k", "" + i).withHeader("h", new byte[] {7}));
                }
            });
            try (Connection connection = database.getConnection()) {
                connection.setAutoCommit(false);
                outbox.add(connection, event("k", "never"));
                connection.rollback();
            }
            commit(transaction -> outbox.add(transaction, List.of(event("k", "50"), event("k", "51"))));
            await("delivery", () -> relay.stats().delivered() == 52);
        }
        assertThat(topics.firstByKey(topic)).containsExactly(Map.entry("k", numbers(0, 52)));
        assertThat(topics.read(topic).getFirst().headers().lastHeader("h").value())
                .containsExactly(7);
        assertThat(rows(config.table())).isZero();
    }

    @Test
    void refusesAConnectionThatCommitsByItself() throws Exception {
        try (Connection connection = database.getConnection()) {
            assertThatThrownBy(() -> outbox.add(connection, event("k", "x"))).hasMessageContaining("commits by itself");
        }
    }

    @Test
    void withoutAConnectionTheCurrentTransactionIsJoinedAndRelaysAreToldAfterItsCommit() throws Exception {
        List<Runnable> afterCommit = new ArrayList<>();
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            outbox = new Outbox(config, new Given(connection, afterCommit), 100);
            List<String> told = new ArrayList<>();
            outbox.onCommit(() -> told.add("told"));

            outbox.add(event("k", "x"));
            assertThatThrownBy(() -> outbox.add(Event.of(topic, "k", new byte[100])))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("allowed are 100");
            assertThat(rows(config.table())).isZero();
            connection.commit();
            afterCommit.forEach(Runnable::run);

            assertThat(rows(config.table())).isEqualTo(1);
            assertThat(told).containsExactly("told");
            execute(connection, "DROP TABLE " + config.table());
            assertThatThrownBy(() -> outbox.add(event("k", "y")))
                    .isInstanceOf(OutboxException.class)
                    .hasMessageContaining("must be rolled back");
        }
    }

    @Test
    void anOutboxThatKnowsNoTransactionsSaysSo() {
        assertThatThrownBy(() -> outbox.add(event("k", "x")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("knows no current transaction");
    }

    private record Given(Connection connection, List<Runnable> tasks) implements CurrentTransaction {
        @Override
        public <T> T with(Work<T> work) throws SQLException {
            return work.with(connection);
        }

        @Override
        public void afterCommit(Runnable task) {
            tasks.add(task);
        }
    }

    @Test
    void whatIsMissingOfTheTablesIsNamedAndMade() throws Exception {
        OutboxConfig other = config.withTable("not_there");
        try (Connection connection = database.getConnection()) {
            assertThat(OutboxSchema.problem(connection, config)).isEmpty();
            assertThat(OutboxSchema.problem(connection, other))
                    .hasValue(
                            "The outbox lacks table not_there, table not_there_parked, table not_there_lease, table not_there_member.");

            List<CompletableFuture<Void>> instances = IntStream.range(0, 4)
                    .mapToObj(i -> CompletableFuture.runAsync(() -> {
                        try {
                            OutboxSchema.ensure(database, other);
                        } catch (SQLException e) {
                            throw new IllegalStateException(e);
                        }
                    }))
                    .toList();
            for (CompletableFuture<Void> instance : instances) {
                instance.get(20, TimeUnit.SECONDS);
            }

            assertThat(OutboxSchema.problem(connection, other)).isEmpty();
            execute(connection, "ALTER TABLE not_there DROP COLUMN headers");
            assertThat(OutboxSchema.problem(connection, other)).hasValue("The outbox lacks not_there.headers.");
        }
    }

    /** A user who may not make tables can start where they are there. */
    @Test
    void whereNothingIsMissingNoRightToMakeTablesIsNeeded() throws Exception {
        try (Connection connection = database.getConnection()) {
            execute(connection, "CREATE ROLE reader LOGIN PASSWORD 'reader'");
            execute(connection, "REVOKE CREATE ON SCHEMA public FROM PUBLIC");
            for (String suffix : List.of("", "_parked", "_lease", "_member")) {
                execute(connection, "GRANT SELECT ON " + config.table() + suffix + " TO reader");
            }
        }
        try (HikariDataSource restricted = new HikariDataSource()) {
            restricted.setJdbcUrl(stack.postgres().jdbcUrl());
            restricted.setUsername("reader");
            restricted.setPassword("reader");
            OutboxSchema.ensure(restricted, config);
            assertThatThrownBy(() -> OutboxSchema.ensure(restricted, config.withTable("forbidden")))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("permission denied");
        }
    }

    @Test
    void theBacklogTellsHowManyWaitAndForHowLong() throws Exception {
        assertThat(Backlog.read(database, config)).isEqualTo(new Backlog(0, Duration.ZERO, 0));
        commit(transaction -> outbox.add(transaction, List.of(event("k", "1"), event("k", "2"))));
        try (Connection connection = database.getConnection()) {
            execute(connection, "UPDATE " + config.table() + " SET created_at = now() - interval '1 hour'");
        }

        Backlog backlog = Backlog.read(database, config);

        assertThat(backlog.waiting()).isEqualTo(2);
        assertThat(backlog.oldestAge()).isGreaterThanOrEqualTo(Duration.ofHours(1));
    }

    @Test
    void tellsHowLateABatchsOldestEventArrived() throws Exception {
        commit(transaction -> outbox.add(transaction, List.of(event("k", "1"), event("k", "2"))));
        try (Connection connection = database.getConnection()) {
            execute(connection, "UPDATE " + config.table() + " SET created_at = now() - interval '1 hour'");
        }
        List<Duration> lags = Collections.synchronizedList(new ArrayList<>());

        try (Relay relay = Relay.start(config, outbox, database, kafka(), lags::add)) {
            await("delivery", () -> relay.stats().delivered() == 2);
            await("the lag", () -> !lags.isEmpty());
        }

        assertThat(lags)
                .singleElement()
                .satisfies(lag -> assertThat(lag).isBetween(Duration.ofHours(1), Duration.ofMinutes(65)));
    }

    /** The long one began first and has the lower number; it is neither waited for nor skipped, and the order is that of commits. */
    @Test
    void aLongTransactionIsNotSkippedAndHoldsNobodyUp() throws Exception {
        try (Relay relay = relay(kafka());
                Connection slow = database.getConnection()) {
            slow.setAutoCommit(false);
            outbox.add(slow, event("k", "slow"));
            commit(transaction -> outbox.add(transaction, event("k", "fast")));
            commit(transaction -> outbox.add(transaction, event("other", "fast too")));
            await("the fast ones", () -> relay.stats().delivered() == 2);
            slow.commit();
            outbox.committed();
            await("the slow one", () -> relay.stats().delivered() == 3);
        }
        assertThat(topics.firstByKey(topic).get("k")).containsExactly("fast", "slow");
    }

    /**
     * Both transactions update one row before they add. The one that commits last began first, so its transaction number is the lower one,
     * and a third keeps the horizon of transactions between the two: ordering by such numbers below the horizon would deliver "second" first.
     */
    @Test
    void theOrderIsThatOfCommitsWhereARowExcludes() throws Exception {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE account (id int PRIMARY KEY, balance int)");
            statement.execute("CREATE TABLE scratch (id int)");
            statement.execute("INSERT INTO account VALUES (1, 0)");
        }
        try (Connection early = database.getConnection();
                Connection horizon = database.getConnection()) {
            early.setAutoCommit(false);
            execute(early, "INSERT INTO scratch VALUES (1)");
            horizon.setAutoCommit(false);
            execute(horizon, "INSERT INTO scratch VALUES (2)");
            commit(transaction -> {
                execute(transaction, "UPDATE account SET balance = balance + 1 WHERE id = 1");
                outbox.add(transaction, event("k", "first"));
            });
            execute(early, "UPDATE account SET balance = balance + 1 WHERE id = 1");
            outbox.add(early, event("k", "second"));
            early.commit();
            try (Relay relay = relay(kafka())) {
                await("both", () -> relay.stats().delivered() == 2);
            }
            horizon.rollback();
        }
        assertThat(topics.firstByKey(topic).get("k")).containsExactly("first", "second");
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void theKeyLockMakesTransactionsOfOneKeyWaitAndNoOthers() throws Exception {
        use(config.withKeyLock(true));
        try (Connection slow = database.getConnection()) {
            slow.setAutoCommit(false);
            outbox.add(slow, event("k", "first"));
            CompletableFuture<Void> second = CompletableFuture.runAsync(() -> {
                try {
                    commit(transaction -> outbox.add(transaction, event("k", "second")));
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            commit(transaction -> outbox.add(transaction, event("other", "free")));
            await("the second one waits", () -> lockWaiters() == 1);
            assertThat(second).isNotDone();
            slow.commit();
            second.get(20, TimeUnit.SECONDS);
        }
        try (Relay relay = relay(kafka())) {
            await("all", () -> relay.stats().delivered() == 3);
        }
        assertThat(topics.firstByKey(topic).get("k")).containsExactly("first", "second");
    }

    private static int lockWaiters() throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")) {
            return rows.next() ? rows.getInt(1) : 0;
        }
    }

    @Test
    void aPoisonEventIsParkedAndOnlyItsKeyWaitsForThat() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        CountDownLatch othersAreDone = new CountDownLatch(20);
        List<String> done = Collections.synchronizedList(new ArrayList<>());
        EventHandler handler = event -> {
            String text = new String(event.value(), StandardCharsets.UTF_8);
            if (text.equals("poison")) {
                tries.incrementAndGet();
                throw new IllegalStateException("cannot be digested: \u0000");
            }
            done.add(text);
            othersAreDone.countDown();
        };
        try (Relay relay = relay(new HandlerTarget(Map.of(topic, handler), 8))) {
            commit(transaction -> {
                outbox.add(transaction, event("bad", "poison"));
                outbox.add(transaction, event("bad", "after"));
                for (int i = 0; i < 20; i++) {
                    outbox.add(transaction, event("good-" + i % 4, "" + i));
                }
            });
            assertThat(othersAreDone.await(20, TimeUnit.SECONDS)).isTrue();
            await("parking", () -> relay.stats().parked() == 1 && relay.stats().delivered() == 21);
            assertThat(tries).hasValue(3);
            assertThat(done.indexOf("after")).as("behind the poison's last try").isEqualTo(20);

            ParkedEvents parked = new ParkedEvents(config, database);
            List<ParkedEvents.Parked> list = parked.list(10);
            assertThat(list).singleElement().satisfies(one -> {
                assertThat(one.reason()).contains("cannot be digested: ?");
                assertThat(one.attempts()).isEqualTo(3);
            });
            UUID id = Objects.requireNonNull(list.getFirst().event().id());
            assertThat(parked.summaries(10))
                    .singleElement()
                    .isEqualTo(new ParkedEvents.Summary(
                            id,
                            topic,
                            "bad",
                            6,
                            3,
                            list.getFirst().reason(),
                            list.getFirst().parkedAt()));
            assertThat(parked.replay(List.of(id))).isOne();
            await("parking again", () -> relay.stats().parked() == 2);
            assertThat(parked.discard(List.of(id))).isOne();
            assertThat(parked.count()).isZero();
        }
    }

    @Test
    void anErrorThatATargetThrowsDoesNotEndTheRelay() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        Target arrives = new HandlerTarget(Map.of(topic, event -> {}), 1);
        Target breaks = new Target() {
            @Override
            public Batch begin(List<StoredEvent> events) {
                if (calls.getAndIncrement() == 0) {
                    throw new NoClassDefFoundError("not there yet");
                }
                return arrives.begin(events);
            }

            @Override
            public void close() {
                arrives.close();
            }
        };
        try (Relay relay = relay(breaks)) {
            commit(transaction -> outbox.add(transaction, event("a", "1")));
            await("delivery after the error", () -> relay.stats().delivered() == 1);
            assertThat(relay.stats().failures()).isPositive();
        }
    }

    @Test
    void whatTheTopicRefusesIsParkedAndTheRestArrivesInOrder() throws Exception {
        topic = topic + "-narrow";
        topics.create(topic, 1, Map.of("max.message.bytes", "5000"));
        try (Relay relay = relay(kafka())) {
            commit(transaction -> {
                for (int i = 0; i < 30; i++) {
                    outbox.add(transaction, i == 10 ? Event.of(topic, "k", new byte[20_000]) : event("k", "" + i));
                }
            });
            await("the rest", () -> relay.stats().delivered() == 29 && rows(config.table() + "_parked") == 1);
        }
        List<String> expected = new ArrayList<>(numbers(0, 30));
        expected.remove("10");
        assertThat(topics.firstByKey(topic).get("k")).isEqualTo(expected);
    }

    /** One of two processes is killed while events come; the other takes its part over. */
    @Test
    void twoRelaysShareTheWorkAndOneIsKilled() throws Exception {
        Process first = relayProcess();
        Process second = relayProcess();
        try (BufferedReader firstSays = first.inputReader();
                BufferedReader secondSays = second.inputReader()) {
            awaitLine(firstSays, "lanes 32 ");
            awaitLine(secondSays, "lanes 32 ");
            for (int i = 0; i < 4_000; i += 20) {
                int from = i;
                commit(transaction -> {
                    for (int j = from; j < from + 20; j++) {
                        outbox.add(transaction, event("key-" + j % 40, "" + j));
                    }
                });
                if (i == 2_000) {
                    awaitLine(firstSays, "delivered ");
                    first.toHandle().destroyForcibly();
                }
            }
            await("an empty outbox", () -> rows(config.table()) == 0);
        } finally {
            first.destroyForcibly().waitFor();
            second.destroyForcibly().waitFor();
        }
        assertThat(topics.firstByKey(topic)).isEqualTo(dealt(4_000, 40));
    }

    private Process relayProcess() throws Exception {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        RelayChild.class.getName(),
                        stack.postgres().jdbcUrl(),
                        stack.postgres().user(),
                        stack.postgres().password(),
                        stack.kafka().bootstrap(),
                        config.table())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static void awaitLine(BufferedReader says, String part) throws Exception {
        String line = says.readLine();
        while (line != null && !line.contains(part)) {
            line = says.readLine();
        }
        assertThat(line).as("a line with %s", part).isNotNull();
    }

    @Test
    void anInstanceThatLostItsLeaseWritesNothingAboutEvents() throws Exception {
        commit(transaction -> outbox.add(transaction, event("k", "x")));
        OutboxTable table = new OutboxTable(config, database);
        Leases frozen = new Leases(config, database, NanoClock.system(), UUID.randomUUID());
        frozen.maintain(Set.of());
        Map<Integer, Long> tokens = frozen.owned();
        List<StoredEvent> events =
                table.read(tokens.keySet(), Set.of(), 10, 1 << 20).events();
        try (Connection connection = database.getConnection()) {
            execute(connection, "UPDATE " + config.table() + "_lease SET expires_at = now() - interval '1 second'");
            execute(connection, "DELETE FROM " + config.table() + "_member");
        }
        Leases other = new Leases(config, database, NanoClock.system(), UUID.randomUUID());
        other.maintain(Set.of());
        assertThat(other.owned()).hasSize(OutboxConfig.LANES);

        Pauses pauses = new Pauses(Duration.ofMillis(50), Duration.ofSeconds(1));
        Verdict failed = Verdict.of(events, List.of(new Outcome.Failed("late")), 1);
        table.apply(failed, frozen, tokens, pauses, 0);
        assertThat(rows(config.table() + "_parked")).isZero();
        await("noticing the loss", () -> {
            maintain(frozen, Set.of());
            return frozen.owned().isEmpty();
        });
        table.apply(failed, other, other.owned(), pauses, 0);
        assertThat(rows(config.table() + "_parked")).isOne();
    }

    /** At most as often as its times allow, so it is called until they do. */
    private static void maintain(Leases leases, Set<Integer> busy) {
        try {
            leases.maintain(busy);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aPartThatIsBusyIsGivenBackOnceItIsNotAndGetsNothingNewBefore() throws Exception {
        Leases one = new Leases(config, database, NanoClock.system(), UUID.randomUUID());
        one.maintain(Set.of());
        Set<Integer> all = one.owned().keySet();
        Leases two = new Leases(config, database, NanoClock.system(), UUID.randomUUID());
        two.maintain(Set.of());

        await("half of them to get nothing new", () -> {
            maintain(two, Set.of());
            maintain(one, all);
            return one.open().size() == OutboxConfig.LANES / 2;
        });
        assertThat(one.owned()).hasSize(OutboxConfig.LANES);
        await("half of them to be given back", () -> {
            maintain(two, Set.of());
            maintain(one, one.open());
            return one.owned().size() == OutboxConfig.LANES / 2;
        });
        assertThat(one.open()).isEqualTo(one.owned().keySet());
    }

    @Test
    void aSlowCallHoldsUpItsKeyAloneAndAsManyMayBeSlowAsAreReadAtOnce() throws Exception {
        use(config.withTable(config.table() + "_slow").withBatch(4, 1 << 20));
        CountDownLatch open = new CountDownLatch(1);
        List<String> begun = Collections.synchronizedList(new ArrayList<>());
        List<String> done = Collections.synchronizedList(new ArrayList<>());
        EventHandler handler = event -> {
            String text = new String(event.value(), StandardCharsets.UTF_8);
            begun.add(text);
            if (text.startsWith("slow")) {
                open.await();
            }
            done.add(text);
        };
        try (Relay relay = relay(new HandlerTarget(Map.of(topic, handler), 8))) {
            commit(transaction -> {
                outbox.add(transaction, event("a", "slow 1"));
                outbox.add(transaction, event("a", "2"));
            });
            await("the slow call", () -> begun.contains("slow 1"));
            for (int i = 3; i < 40; i++) {
                int number = i;
                commit(transaction -> outbox.add(transaction, event("key-" + number % 5, "" + number)));
            }
            commit(transaction -> outbox.add(transaction, event("a", "after 2")));
            await("all others", () -> relay.stats().delivered() == 37);
            assertThat(List.copyOf(begun)).doesNotContain("2", "after 2");

            for (int i = 0; i < 6; i++) {
                String key = "slow-" + i;
                commit(transaction -> outbox.add(transaction, event(key, "slow " + key)));
            }
            await(
                    "as many as may be",
                    () -> List.copyOf(begun).stream()
                                    .filter(text -> text.startsWith("slow"))
                                    .count()
                            == 3);
            open.countDown();
            await("the rest", () -> rows(config.table()) == 0);
            assertThat(done).containsSubsequence("slow 1", "2", "after 2").hasSize(46);
            assertThat(relay.stats().aborted()).isZero();
        }
    }

    @Test
    void aStopWaitsForACallThatIsUnderWay() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        EventHandler handler = event -> {
            begun.countDown();
            // Longer than a lease is renewed for.
            TimeUnit.MILLISECONDS.sleep(1_000);
        };
        Relay relay = relay(new HandlerTarget(Map.of(topic, handler), 8));
        commit(transaction -> outbox.add(transaction, event("k", "x")));
        assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();

        relay.close();

        assertThat(relay.stats().delivered()).isOne();
        assertThat(rows(config.table())).isZero();
    }

    @Test
    void aRepeatedEventIsHandledOnce() throws Exception {
        String seen = config.table() + "_seen";
        try (Connection connection = database.getConnection()) {
            for (String sql : IdempotentHandler.schema(seen)) {
                execute(connection, sql);
            }
            execute(connection, "CREATE TABLE IF NOT EXISTS " + seen + "_work (n int)");
        }
        IdempotentHandler handler = new IdempotentHandler(seen, "totals");
        UUID id = UUID.randomUUID();
        IdempotentHandler.Work work = transaction -> execute(transaction, "INSERT INTO " + seen + "_work VALUES (1)");
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            assertThat(handler.handle(connection, id, work)).isTrue();
            connection.rollback();
            assertThat(handler.handle(connection, id, work))
                    .as("after a rollback")
                    .isTrue();
            connection.commit();
            assertThat(handler.handle(connection, id, work)).isFalse();
            assertThat(new IdempotentHandler(seen, "another").handle(connection, id, work))
                    .isTrue();
            connection.commit();
            assertThat(handler.purge(connection, Duration.ZERO)).isEqualTo(2);
            connection.rollback();
        }
        assertThat(rows(seen + "_work")).isEqualTo(2);
        assertThat(handler.duplicates()).isOne();
    }
}
