package dev.weir.bench.route;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.weir.core.route.Lsn;
import dev.weir.core.route.PooledServer;
import dev.weir.core.route.RouteConfig;
import dev.weir.core.route.RouteSession;
import dev.weir.core.route.Router;
import dev.weir.core.time.NanoClock;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * What does a read-only transaction of one query cost, above a driver that does nothing? Command: bench/route. The
 * baseline is Spring's lazy proxy with one HikariCP pool in its read-only slot.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RoutedRead {

    private static final int REPLICAS = 4;
    private static final int POOL = 10;
    private static final long REPLAYED = 1_000_000;

    /** What stands between the transaction and the driver. */
    public enum Routing {
        LAZY_PROXY,
        WEIR,
        WEIR_WITH_SESSION
    }

    @Param
    Routing routing = Routing.LAZY_PROXY;

    private final List<HikariDataSource> pools = new ArrayList<>();
    private @Nullable DataSource source;
    private @Nullable TransactionTemplate readOnly;
    private RouteSession.@Nullable Binding session;

    @Setup(Level.Trial)
    public void start() {
        var proxy = new LazyConnectionDataSourceProxy();
        switch (routing) {
            case LAZY_PROXY -> {
                proxy.setTargetDataSource(pool("primary"));
                proxy.setReadOnlyDataSource(pool("replica"));
            }
            case WEIR, WEIR_WITH_SESSION -> {
                Router router = router();
                proxy.setTargetDataSource(router.writes());
                proxy.setReadOnlyDataSource(router.reads());
            }
        }
        proxy.setDefaultAutoCommit(true);
        proxy.setDefaultTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        source = proxy;
        readOnly = new TransactionTemplate(new JdbcTransactionManager(proxy));
        readOnly.setReadOnly(true);
    }

    /** The session belongs to the thread that measures. */
    @Setup(Level.Iteration)
    public void bindSession() {
        if (routing == Routing.WEIR_WITH_SESSION && session == null) {
            session = new RouteSession(REPLAYED, lsn -> {}).open();
        }
    }

    private Router router() {
        List<PooledServer> replicas = new ArrayList<>();
        List<Double> weights = new ArrayList<>();
        for (int i = 0; i < REPLICAS; i++) {
            replicas.add(new Server("replica-" + i, pool("replica-" + i)));
            weights.add(1.0);
        }
        var router = new Router(
                RouteConfig.defaults(), new Server("primary", pool("primary")), replicas, weights, NanoClock.system());
        router.replicas().primaryAt(REPLAYED, System.nanoTime());
        for (int i = 0; i < REPLICAS; i++) {
            router.replicas().sampled(i, REPLAYED, true, System.nanoTime());
        }
        return router;
    }

    private HikariDataSource pool(String name) {
        var config = new HikariConfig();
        config.setPoolName(name);
        config.setDataSource(StubDriver.dataSource());
        config.setMaximumPoolSize(POOL);
        var pool = new HikariDataSource(config);
        pools.add(pool);
        return pool;
    }

    @TearDown(Level.Trial)
    public void stop() {
        pools.forEach(HikariDataSource::close);
    }

    /** One read-only transaction with one query of one row. */
    @Benchmark
    public @Nullable Object transaction() {
        TransactionTemplate template = readOnly;
        DataSource outermost = source;
        if (template == null || outermost == null) {
            throw new IllegalStateException("The bench was not set up.");
        }
        return template.execute(status -> query(outermost));
    }

    private static long query(DataSource source) {
        Connection connection = DataSourceUtils.getConnection(source);
        try (PreparedStatement statement = connection.prepareStatement("SELECT version FROM item WHERE id = ?")) {
            statement.setLong(1, 1);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        } finally {
            DataSourceUtils.releaseConnection(connection, source);
        }
    }

    private record Server(String name, HikariDataSource pool) implements PooledServer {

        @Override
        public Connection connect(int timeoutMillis) throws SQLException {
            throw new SQLException("Nobody watches this server, whose position is " + Lsn.format(REPLAYED) + ".");
        }

        @Override
        public void evict() {
            pool.getHikariPoolMXBean().softEvictConnections();
        }
    }
}
