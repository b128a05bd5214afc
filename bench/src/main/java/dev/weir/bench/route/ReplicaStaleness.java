package dev.weir.bench.route;

import com.zaxxer.hikari.HikariDataSource;
import dev.weir.bench.jmh.Goals;
import dev.weir.bench.jmh.Scores;
import dev.weir.core.route.HikariServer;
import dev.weir.core.route.Lsn;
import dev.weir.core.route.RouteConfig;
import dev.weir.core.route.RouteCounters.Reason;
import dev.weir.core.route.RouteSession;
import dev.weir.core.route.Router;
import dev.weir.core.route.SessionTokens;
import dev.weir.core.time.NanoClock;
import dev.weir.stack.Stack;
import dev.weir.stack.StackConfig;
import dev.weir.stack.StackProgress;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;

/**
 * How many reads of a client miss what the same client wrote before, while the replay of one standby after the other is
 * paused and resumed? Command: bench/replica-staleness. Plain routing (Spring's lazy proxy, the pools in turn) and Weir, A B
 * B A twice, on the same servers; each client raises the version of its own row, then reads it three times with short pauses.
 */
final class ReplicaStaleness {

    private static final int RUNS = 4;
    private static final int STANDBYS = 2;
    private static final int CLIENTS = 8;
    private static final int READS_A_WRITE = 3;
    private static final int POOL = 8;
    private static final Duration PAUSED = Duration.ofMillis(700);
    private static final Duration RESUMED = Duration.ofMillis(300);
    private static final Duration BETWEEN_REQUESTS = Duration.ofMillis(2);

    private final Stack stack;
    private final List<HikariDataSource> pools = new ArrayList<>();
    private final SessionTokens tokens = new SessionTokens(
            List.of("the key of this bench alone".getBytes(StandardCharsets.UTF_8)),
            Duration.ofMinutes(5),
            InstantSource.system());

    private ReplicaStaleness(Stack stack) {
        this.stack = stack;
    }

    public static void main(String[] args) throws Exception {
        Duration each = Duration.ofSeconds(Math.max(1, Long.parseLong(args[0]) / (2 * RUNS)));
        StackConfig config =
                StackConfig.defaults().withStandbys(STANDBYS).withRedis(false).withStartTimeout(Duration.ofMinutes(3));
        boolean held;
        try (Stack stack = Stack.start(config, StackProgress.silent())) {
            held = new ReplicaStaleness(stack).run(each);
        }
        Goals.exit(held);
    }

    private boolean run(Duration each) throws Exception {
        try {
            createTable();
            List<Tally> plain = new ArrayList<>();
            List<Tally> weir = new ArrayList<>();
            for (int run = 0; run < RUNS; run++) {
                boolean weirFirst = run % 2 == 1;
                if (weirFirst) {
                    weir.add(withWeir(each));
                }
                plain.add(plainly(each));
                if (!weirFirst) {
                    weir.add(withWeir(each));
                }
            }
            return print(plain, weir);
        } finally {
            pools.forEach(HikariDataSource::close);
        }
    }

    private void createTable() throws SQLException, InterruptedException {
        HikariDataSource primary = pool(stack.postgres().jdbcUrl(), false);
        try (Connection connection = primary.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE item (id int PRIMARY KEY, version bigint NOT NULL)");
            statement.execute("INSERT INTO item SELECT i, 0 FROM generate_series(1, " + CLIENTS + ") i");
        }
        for (String url : stack.postgres().standbyJdbcUrls()) {
            HikariDataSource replica = pool(url, true);
            while (!hasTable(replica)) {
                new CountDownLatch(1).await(20, TimeUnit.MILLISECONDS);
            }
        }
    }

    private static boolean hasTable(HikariDataSource replica) {
        try {
            return read(replica, CLIENTS) == 0;
        } catch (SQLException notYet) {
            return false;
        }
    }

    private HikariDataSource pool(String url, boolean readOnly) {
        var pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        pool.setUsername(stack.postgres().user());
        pool.setPassword(stack.postgres().password());
        pool.setMaximumPoolSize(POOL);
        pool.setReadOnly(readOnly);
        pools.add(pool);
        return pool;
    }

    private Tally plainly(Duration time) throws Exception {
        var tally = new Tally();
        List<HikariDataSource> replicas = pools.subList(1, 1 + STANDBYS);
        var next = new AtomicInteger();
        DataSource inTurn = new AbstractDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                return replicas.get(Math.floorMod(next.getAndIncrement(), STANDBYS))
                        .getConnection();
            }

            @Override
            public Connection getConnection(String user, String password) throws SQLException {
                return getConnection();
            }
        };
        var proxy = lazily(pools.getFirst(), inTurn);
        drive(proxy, tally, time);
        tally.replicaReads = tally.reads();
        return tally;
    }

    private Tally withWeir(Duration time) throws Exception {
        var tally = new Tally();
        List<HikariServer> replicas = IntStream.range(0, STANDBYS)
                .mapToObj(i -> new HikariServer("replica-" + (i + 1), pools.get(1 + i)))
                .toList();
        try (var router = new Router(
                RouteConfig.defaults(),
                new HikariServer("primary", pools.getFirst()),
                replicas,
                replicas.stream().map(replica -> 1.0).toList(),
                NanoClock.system())) {
            router.start();
            router.awaitFirstAnswers(Duration.ofSeconds(5));
            drive(lazily(router.writes(), router.reads()), tally, time);
            for (int i = 0; i < STANDBYS; i++) {
                tally.replicaReads += router.counters().replicaReads(i);
            }
            tally.refused = router.counters().primaryReads(Reason.REFUSED);
        }
        return tally;
    }

    private static LazyConnectionDataSourceProxy lazily(DataSource writes, DataSource reads) {
        var proxy = new LazyConnectionDataSourceProxy();
        proxy.setTargetDataSource(writes);
        proxy.setReadOnlyDataSource(reads);
        proxy.setDefaultAutoCommit(true);
        proxy.setDefaultTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        return proxy;
    }

    /** All clients and the one that pauses replay, for this time. */
    private void drive(DataSource source, Tally tally, Duration time) throws Exception {
        long endNanos = System.nanoTime() + time.toNanos();
        List<Thread> threads = new ArrayList<>();
        for (int client = 1; client <= CLIENTS; client++) {
            int id = client;
            threads.add(Thread.ofVirtual().start(() -> client(source, id, tally, endNanos)));
        }
        disturb(endNanos);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void disturb(long endNanos) throws InterruptedException {
        for (int round = 0; System.nanoTime() - endNanos < 0; round++) {
            int standby = 1 + round % STANDBYS;
            stack.postgres().pauseReplay(standby);
            try {
                Thread.sleep(PAUSED);
            } finally {
                stack.postgres().resumeReplay(standby);
            }
            Thread.sleep(RESUMED);
        }
    }

    /** Each step is a request of its own: only the token passes from one to the next, as between client and service. */
    private void client(DataSource source, int id, Tally tally, long endNanos) {
        String token = tokens.issue(Lsn.NONE);
        try {
            while (System.nanoTime() - endNanos < 0) {
                long[] written = new long[1];
                token = request(token, () -> written[0] = write(source, id));
                long committedNanos = System.nanoTime();
                for (int i = 0; i < READS_A_WRITE; i++) {
                    Thread.sleep(BETWEEN_REQUESTS);
                    token = request(token, () -> readAndJudge(source, id, written[0], committedNanos, tally));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private interface Step {
        void run() throws SQLException;
    }

    private String request(String token, Step step) {
        long needed = tokens.read(token) instanceof SessionTokens.Valid valid ? valid.lsn() : Lsn.NONE;
        var session = new RouteSession(needed, lsn -> {});
        RouteSession.Binding bound = session.open();
        try {
            step.run();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        } finally {
            bound.close();
        }
        return tokens.issue(session.neededLsn());
    }

    private static void readAndJudge(DataSource source, int id, long written, long committedNanos, Tally tally)
            throws SQLException {
        long startNanos = System.nanoTime();
        try {
            long seen = read(source, id);
            long now = System.nanoTime();
            tally.read(now - startNanos, seen < written ? startNanos - committedNanos : -1);
        } catch (SQLTransientException refused) {
            tally.read(System.nanoTime() - startNanos, -1);
        }
    }

    private static long write(DataSource source, int id) throws SQLException {
        try (Connection connection = source.getConnection()) {
            connection.setAutoCommit(false);
            long version;
            try (PreparedStatement statement = connection.prepareStatement(
                    "UPDATE item SET version = version + 1 WHERE id = ? RETURNING version")) {
                statement.setInt(1, id);
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    version = row.getLong(1);
                }
            }
            connection.commit();
            return version;
        }
    }

    private static long read(DataSource source, int id) throws SQLException {
        try (Connection connection = source.getConnection()) {
            connection.setReadOnly(true);
            try (PreparedStatement statement = connection.prepareStatement("SELECT version FROM item WHERE id = ?")) {
                statement.setInt(1, id);
                try (ResultSet row = statement.executeQuery()) {
                    return row.next() ? row.getLong(1) : -1;
                }
            }
        }
    }

    /** What the clients met in one run. */
    private static final class Tally {
        private final List<Long> latencies = new ArrayList<>();
        private long stale;
        private long worstNanos;
        private long replicaReads;
        private long refused;

        synchronized void read(long latencyNanos, long staleForNanos) {
            latencies.add(latencyNanos);
            if (staleForNanos >= 0) {
                stale++;
                worstNanos = Math.max(worstNanos, staleForNanos);
            }
        }

        synchronized long reads() {
            return latencies.size();
        }

        synchronized double millis(double quantile) {
            long[] sorted = latencies.stream().mapToLong(Long::longValue).toArray();
            Arrays.sort(sorted);
            return sorted[(int) Math.min(sorted.length - 1L, Math.round(quantile * sorted.length))] / 1e6;
        }
    }

    private static boolean print(List<Tally> plain, List<Tally> weir) {
        System.out.println(
                "| Routing | Reads | Stale | Stale a million, of each run | Oldest write missed, ms | On replicas | Refused | p50 ms | p99 ms |");
        System.out.println("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
        print("plain routing", plain);
        print("Weir", weir);
        long missed = sum(weir, tally -> tally.stale);
        System.out.printf(
                Locale.ROOT,
                "%nGoal: no client of Weir misses its own write: %d missed, %s.%n",
                missed,
                Goals.word(missed == 0));
        return missed == 0;
    }

    private static void print(String label, List<Tally> runs) {
        long reads = sum(runs, Tally::reads);
        System.out.printf(
                Locale.ROOT,
                "| %s | %,d | %,d | %s | %,.0f | %.1f %% | %d | %s | %s |%n",
                label,
                reads,
                sum(runs, tally -> tally.stale),
                figures(runs, tally -> 1e6 * tally.stale / tally.reads(), 0),
                runs.stream().mapToLong(tally -> tally.worstNanos).max().orElse(0) / 1e6,
                100.0 * sum(runs, tally -> tally.replicaReads) / reads,
                sum(runs, tally -> tally.refused),
                figures(runs, tally -> tally.millis(0.5), 2),
                figures(runs, tally -> tally.millis(0.99), 2));
    }

    private static long sum(List<Tally> runs, ToLongFunction<Tally> figure) {
        return runs.stream().mapToLong(figure).sum();
    }

    private static String figures(List<Tally> runs, ToDoubleFunction<Tally> figure, int digits) {
        return new Scores(runs.stream().map(figure::applyAsDouble).toList()).figures(digits);
    }
}
