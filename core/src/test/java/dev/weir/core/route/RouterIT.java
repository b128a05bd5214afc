package dev.weir.core.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.weir.core.route.ReplicaSet.State;
import dev.weir.core.route.RouteCounters.Reason;
import dev.weir.core.route.RouteCounters.Wait;
import dev.weir.core.time.NanoClock;
import dev.weir.stack.Postgres;
import dev.weir.stack.Stack;
import dev.weir.stack.StackConfig;
import dev.weir.stack.StackProgress;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Routing on a real primary with two real standbys. The last test promotes one of them. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RouterIT {

    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final RouteConfig CONFIG = RouteConfig.defaults()
            .withPolicy(new ReplicaPolicy(16L << 20, Duration.ofSeconds(60), 2, 3, Duration.ofMillis(200)))
            .withFallback(50, Duration.ofSeconds(5));

    private static Stack stack;

    private final List<HikariDataSource> pools = new ArrayList<>();
    private Router router;

    @BeforeAll
    static void start() throws SQLException {
        stack = cluster(2, "stack-cache");
        try (Connection connection = DriverManager.getConnection(
                        stack.postgres().jdbcUrl(),
                        stack.postgres().user(),
                        stack.postgres().password());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE item (id int PRIMARY KEY, version bigint NOT NULL)");
            statement.execute("INSERT INTO item SELECT i, 0 FROM generate_series(1, 100) i");
        }
    }

    /** Clusters from different folders are different ones; those from the same are copies of one. */
    private static Stack cluster(int standbys, String folder) {
        return Stack.start(
                StackConfig.defaults()
                        .withStandbys(standbys)
                        .withRedis(false)
                        .withStartTimeout(Duration.ofMinutes(3))
                        .withCacheFolder(Path.of("target", folder).toAbsolutePath()),
                StackProgress.silent());
    }

    @AfterAll
    static void stop() {
        stack.close();
    }

    @BeforeEach
    void route() throws InterruptedException {
        route(CONFIG);
        awaitServing();
        await("the table on both", () -> count(0) == 100 && count(1) == 100);
    }

    private void awaitServing() throws InterruptedException {
        await(
                "both replicas serve",
                () -> router.replicas().view(0).state() == State.SERVING
                        && router.replicas().view(1).state() == State.SERVING);
    }

    private void route(RouteConfig config) {
        Postgres postgres = stack.postgres();
        List<HikariServer> replicas = new ArrayList<>();
        for (int i = 0; i < postgres.standbyJdbcUrls().size(); i++) {
            HikariDataSource pool = pool(postgres.standbyJdbcUrls().get(i), 4, 1000);
            pool.setReadOnly(true);
            replicas.add(new HikariServer("replica-" + (i + 1), pool));
        }
        router = new Router(
                config,
                new HikariServer("primary", pool(postgres.jdbcUrl(), 6, 45_000)),
                replicas,
                List.of(1.0, 1.0),
                NanoClock.system());
        router.start();
    }

    private HikariDataSource pool(String url, int size, long timeoutMillis) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        pool.setUsername(stack.postgres().user());
        pool.setPassword(stack.postgres().password());
        pool.setMaximumPoolSize(size);
        pool.setConnectionTimeout(timeoutMillis);
        pools.add(pool);
        return pool;
    }

    @AfterEach
    void close() {
        router.close();
        pools.forEach(HikariDataSource::close);
        pools.clear();
    }

    @Test
    @Order(1)
    void readsGoToTheReplicasAndWritesToThePrimary() throws SQLException {
        for (int i = 0; i < 40; i++) {
            assertThat(query(router.reads(), "SELECT pg_is_in_recovery()")).isEqualTo("t");
            assertThat(query(router.writes(), "SELECT pg_is_in_recovery()")).isEqualTo("f");
        }
        assertThat(router.counters().replicaReads(0)).isPositive();
        assertThat(router.counters().replicaReads(1)).isPositive();
        assertThat(router.replicas().active(0) + router.replicas().active(1)).isZero();
    }

    @Test
    @Order(2)
    void insideAPrimaryScopeReadsGoToThePrimaryAndAreReadOnlyThere() throws Exception {
        String inRecovery = PrimaryScope.call(() -> query(router.reads(), "SELECT pg_is_in_recovery()"));
        assertThat(inRecovery).isEqualTo("f");
        assertThatThrownBy(() -> PrimaryScope.call(() -> update(router.reads(), 1, 1)))
                .isInstanceOf(ReadOnlyTransactionException.class);
        assertThat(router.counters().primaryReads(Reason.SCOPE)).isEqualTo(2);
        assertThat(update(router.writes(), 1, 0)).isEqualTo(1);
    }

    @Test
    @Order(3)
    void aWriteInsideAReadOnlyTransactionFailsWithASentence() {
        assertThatThrownBy(() -> update(router.reads(), 1, 1))
                .isInstanceOf(ReadOnlyTransactionException.class)
                .hasMessageStartingWith("A write inside a read-only transaction (on replica-");
    }

    @Test
    @Order(4)
    void theSessionThatWroteReadsItsWriteWhileEveryReplicaStandsStill() throws Exception {
        stack.postgres().pauseReplay(1);
        stack.postgres().pauseReplay(2);
        try {
            await("paused", () -> paused(0) && paused(1));
            var session = new RouteSession(Lsn.NONE, lsn -> {});
            for (int version = 1; version <= 20; version++) {
                try (var bound = session.open()) {
                    assertThat(bound).isNotNull();
                    update(router.writes(), 7, version);
                    assertThat(version(7)).isEqualTo(version);
                }
            }
            assertThat(version(7)).as("without a session").isLessThan(20);
            assertThat(router.counters().waits(Wait.GAVE_UP)).isEqualTo(20);
            assertThat(router.counters().primaryReads(Reason.NOT_REPLAYED)).isEqualTo(20);
        } finally {
            stack.postgres().resumeReplay(1);
            stack.postgres().resumeReplay(2);
        }
    }

    @Test
    @Order(5)
    void aWriteWithAutoCommitBelongsToTheSessionAsWell() throws Exception {
        var session = new RouteSession(Lsn.NONE, lsn -> {});
        try (var bound = session.open();
                Connection connection = router.writes().getConnection();
                Statement statement = connection.createStatement()) {
            assertThat(bound).isNotNull();
            statement.executeUpdate("UPDATE item SET version = 5 WHERE id = 8");
        }
        try (var bound = session.open()) {
            assertThat(bound).isNotNull();
            assertThat(session.neededLsn()).isPositive();
            assertThat(version(8)).isEqualTo(5);
        }
    }

    @Test
    @Order(6)
    void aReaderWaitsForAReplicaThatIsNearlyThere() throws Exception {
        route2(CONFIG.withReplayWait(DEADLINE));
        awaitServing();
        var session = new RouteSession(Lsn.NONE, lsn -> {});
        for (int version = 1; version <= 30; version++) {
            try (var bound = session.open()) {
                assertThat(bound).isNotNull();
                update(router.writes(), 9, version);
                assertThat(version(9)).isEqualTo(version);
            }
        }
        assertThat(router.counters().primaryReads(Reason.NOT_REPLAYED)).isZero();
        assertThat(router.counters().replicaReads(0) + router.counters().replicaReads(1))
                .isEqualTo(30);
    }

    @Test
    @Order(7)
    void readsBeyondTheLimitOfThePrimaryFailAtOnce() throws Exception {
        route2(CONFIG.withFallback(1, Duration.ZERO));
        awaitServing();
        var unreachable = new RouteSession(Lsn.PRIMARY_ONLY, lsn -> {});
        try (var bound = unreachable.open();
                Connection first = router.reads().getConnection()) {
            assertThat(bound).isNotNull();
            assertThat(first.isReadOnly()).isTrue();
            assertThatThrownBy(() -> router.reads().getConnection())
                    .isInstanceOf(ReplicasUnavailableException.class)
                    // What Spring's JdbcTemplate turns into a transient exception.
                    .isInstanceOf(SQLTransientConnectionException.class)
                    .hasMessageContaining("1 of these are on primary already");
        }
        try (var bound = unreachable.open();
                Connection again = router.reads().getConnection()) {
            assertThat(bound).isNotNull();
            assertThat(again.isReadOnly()).isTrue();
        }
        assertThat(router.fallbacksInUse()).isZero();
    }

    @Test
    @Order(7)
    void aPositionThatThePrimaryHasNotReachedIsReplacedByItsOwn() throws Exception {
        route2(CONFIG.withReplayWait(DEADLINE));
        awaitServing();
        List<Long> told = Collections.synchronizedList(new ArrayList<>());
        var session = new RouteSession(Lsn.parse("7FFFFFF/0"), told::add);
        for (int i = 0; i < 3; i++) {
            try (var bound = session.open()) {
                assertThat(bound).isNotNull();
                assertThat(query(router.reads(), "SELECT pg_is_in_recovery()")).isEqualTo("t");
            }
        }
        assertThat(session.neededLsn())
                .isBetween(1L, Lsn.parse(query(router.writes(), "SELECT pg_current_wal_insert_lsn()")));
        assertThat(told).containsExactly(session.neededLsn());
        assertThat(router.counters().correctedPositions()).isEqualTo(1);
    }

    @Test
    @Order(7)
    void aStandbyOfAnotherClusterTakesNoReads() throws Exception {
        try (Stack other = cluster(1, "stack-cache-of-another-cluster")) {
            close();
            HikariDataSource foreign = pool(other.postgres().standbyJdbcUrls().getFirst(), 2, 1000);
            foreign.setUsername(other.postgres().user());
            foreign.setPassword(other.postgres().password());
            router = new Router(
                    CONFIG,
                    new HikariServer("primary", pool(stack.postgres().jdbcUrl(), 2, 1000)),
                    List.of(new HikariServer("replica-1", foreign)),
                    List.of(1.0),
                    NanoClock.system());
            router.start();
            await("told apart", () -> router.replicas().view(0).state() == State.OTHER_CLUSTER);
            assertThat(router.replicaProblem(0)).startsWith("it belongs to another database cluster");
            assertThat(query(router.reads(), "SELECT pg_is_in_recovery()")).isEqualTo("f");
        }
    }

    @Test
    @Order(8)
    void aDryRunDecidesAndReadsFromThePrimary() throws Exception {
        route2(CONFIG.asDryRun());
        awaitServing();
        assertThat(query(router.reads(), "SELECT pg_is_in_recovery()")).isEqualTo("f");
        assertThat(router.counters().replicaReads(0) + router.counters().replicaReads(1))
                .isEqualTo(1);
    }

    @Test
    @Order(9)
    void aKilledReplicaLosesNoReadBeyondThoseAtWork() throws Exception {
        var readers = new Load(4, () -> readTwice());
        readers.awaitSuccesses(200);
        stack.postgres().standbys().getFirst().kill();
        await("ejected", () -> router.replicas().view(0).state() == State.FAILED);
        readers.awaitMoreSuccesses(200);

        stack.postgres().standbys().getFirst().start(DEADLINE);
        await("back", () -> router.replicas().view(0).state() == State.SERVING);
        long before = router.counters().replicaReads(0);
        await("reads again", () -> router.counters().replicaReads(0) > before);
        readers.stop();

        assertThat(readers.lost).isEmpty();
        assertThat(readers.atWork.size()).isLessThanOrEqualTo(4);
        assertThat(router.counters().ejections(0)).isPositive();
    }

    @Test
    @Order(10)
    void aRestartOfThePrimaryLosesNoTransactionBeyondThoseAtWork() throws Exception {
        var writers = new Load(3, () -> writeTwice());
        var readers = new Load(2, () -> readTwice());
        writers.awaitSuccesses(50);
        stack.postgres().primary().kill();
        readers.awaitMoreSuccesses(50);
        stack.postgres().primary().start(DEADLINE);
        writers.awaitMoreSuccesses(50);
        writers.stop();
        readers.stop();

        assertThat(writers.lost).isEmpty();
        assertThat(writers.atWork.size()).isLessThanOrEqualTo(3);
        assertThat(readers.lost).isEmpty();
        assertThat(readers.atWork).isEmpty();
    }

    @Test
    @Order(12)
    void aPromotedReplicaTakesNoMoreReadsAndNothingIsLost() throws Exception {
        var readers = new Load(4, () -> readTwice());
        readers.awaitSuccesses(100);
        stack.postgres().promote(1);
        await("out", () -> router.replicas().view(0).state() == State.NOT_A_STANDBY);
        readers.awaitMoreSuccesses(100);
        long before = router.counters().replicaReads(0);
        readers.awaitMoreSuccesses(100);
        readers.stop();

        assertThat(router.counters().replicaReads(0)).isLessThanOrEqualTo(before + 4);
        assertThat(readers.lost).isEmpty();
        assertThat(readers.atWork).isEmpty();
    }

    @Test
    @Order(11)
    void nothingIsWrittenToAStandbyInThePlaceOfThePrimary() throws Exception {
        router.close();
        String standby = stack.postgres().standbyJdbcUrls().get(1);
        router = new Router(
                CONFIG, new HikariServer("primary", pool(standby, 2, 1000)), List.of(), List.of(), NanoClock.system());
        router.start();
        await("noticed", () -> router.primaryState() == Router.PrimaryState.IS_STANDBY);
        assertThatThrownBy(() -> update(router.writes(), 1, 1))
                .isInstanceOf(PrimaryIsStandbyException.class)
                .hasMessageContaining("is a standby");
    }

    private void route2(RouteConfig config) {
        close();
        route(config);
    }

    /** A read transaction of two statements; the second one tells a loss at work from a lost request. */
    private void readTwice() throws SQLException {
        try (Connection connection = router.reads().getConnection()) {
            connection.setAutoCommit(false);
            read(connection);
            try {
                read(connection);
                connection.commit();
            } catch (SQLException e) {
                throw new AtWork(e);
            }
        }
    }

    private static void read(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT version FROM item WHERE id = ?")) {
            statement.setInt(1, 3);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
            }
        }
    }

    private void writeTwice() throws SQLException {
        try (Connection connection = router.writes().getConnection()) {
            connection.setAutoCommit(false);
            write(connection);
            try {
                read(connection);
                connection.commit();
            } catch (SQLException e) {
                throw new AtWork(e);
            }
        }
    }

    private static void write(Connection connection) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("UPDATE item SET version = version + 1 WHERE id = ?")) {
            statement.setInt(1, 1 + ThreadLocalRandom.current().nextInt(100));
            statement.executeUpdate();
        }
    }

    private long version(int id) throws SQLException {
        return Long.parseLong(query(router.reads(), "SELECT version FROM item WHERE id = " + id));
    }

    private int update(DataSource source, int id, long version) throws SQLException {
        try (Connection connection = source.getConnection();
                PreparedStatement statement = prepared(connection, "UPDATE item SET version = ? WHERE id = ?")) {
            statement.setLong(1, version);
            statement.setInt(2, id);
            int rows = statement.executeUpdate();
            connection.commit();
            return rows;
        }
    }

    private static PreparedStatement prepared(Connection connection, String sql) throws SQLException {
        connection.setAutoCommit(false);
        return connection.prepareStatement(sql);
    }

    private long count(int replica) {
        try {
            return Long.parseLong(query(pools.get(replica), "SELECT count(*) FROM item"));
        } catch (SQLException e) {
            return -1;
        }
    }

    private boolean paused(int replica) {
        try {
            return query(pools.get(replica), "SELECT pg_get_wal_replay_pause_state()")
                    .equals("paused");
        } catch (SQLException e) {
            return false;
        }
    }

    private static String query(DataSource source, String sql) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            return row.next() ? row.getString(1) : "no row";
        }
    }

    static void await(String what, BooleanSupplier condition) throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        long deadlineNanos = System.nanoTime() + DEADLINE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new AssertionError("Not so within " + DEADLINE.toSeconds() + " s: " + what);
            }
            never.await(10, TimeUnit.MILLISECONDS);
        }
    }

    private static final class AtWork extends SQLException {
        private static final long serialVersionUID = 1L;

        AtWork(SQLException cause) {
            super(cause);
        }
    }

    private interface Task {
        void run() throws SQLException;
    }

    /** Tasks in a closed loop on some threads; failures are told apart by whether a statement had succeeded before. */
    private static final class Load {
        private final List<Throwable> lost = Collections.synchronizedList(new ArrayList<>());
        private final List<Throwable> atWork = Collections.synchronizedList(new ArrayList<>());
        private final AtomicLong successes = new AtomicLong();
        private final List<Thread> threads = new ArrayList<>();
        private volatile boolean stopped;

        Load(int count, Task task) {
            for (int i = 0; i < count; i++) {
                threads.add(Thread.ofVirtual().start(() -> loop(task)));
            }
        }

        private void loop(Task task) {
            while (!stopped) {
                try {
                    task.run();
                    successes.incrementAndGet();
                } catch (AtWork e) {
                    atWork.add(e);
                } catch (SQLException | RuntimeException e) {
                    lost.add(e);
                }
            }
        }

        void awaitSuccesses(long count) throws InterruptedException {
            await(count + " successes", () -> successes.get() >= count);
        }

        void awaitMoreSuccesses(long count) throws InterruptedException {
            awaitSuccesses(successes.get() + count);
        }

        void stop() throws InterruptedException {
            stopped = true;
            for (Thread thread : threads) {
                assertThat(thread.join(DEADLINE)).isTrue();
            }
        }
    }
}
