package dev.weir.core.watch;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * A HikariCP pool that tells the budget of the running request how long its connections were waited for and what was done with
 * them. It is a pool as any other to whoever asks for one: nothing lies between it and its metrics, its MXBean or a router above it.
 * Outside a request its connections are the pool's own.
 */
public final class WatchedPool extends HikariDataSource {

    /** A pool that takes its settings until its first connection is asked for. */
    public WatchedPool() {}

    /** A pool that starts now. */
    public WatchedPool(HikariConfig config) {
        super(config);
    }

    /**
     * A pool with the settings of one that has not started.
     *
     * @throws IllegalStateException when that pool runs already
     */
    public static WatchedPool inPlaceOf(HikariDataSource pool) {
        if (pool.isRunning()) {
            throw new IllegalStateException("The pool " + pool.getPoolName() + " runs already and cannot be replaced.");
        }
        WatchedPool watched = new WatchedPool();
        pool.copyStateTo(watched);
        return watched;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Budget budget = CurrentBudget.get();
        if (budget == null) {
            return super.getConnection();
        }
        return WatchedConnection.of(waitFor(budget), budget);
    }

    private Connection waitFor(Budget budget) throws SQLException {
        long begun = budget.begin(Kind.POOL);
        try {
            return super.getConnection();
        } catch (SQLException e) {
            budget.failed(Kind.POOL, e);
            throw e;
        } finally {
            budget.end(Kind.POOL, begun, this);
        }
    }

    @Override
    public void evictConnection(Connection connection) {
        super.evictConnection(WatchedConnection.inner(connection));
    }
}
