package dev.weir.starter.shed;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import dev.weir.starter.route.ReplicaConnections;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import javax.sql.DataSource;

/** Threads that wait for a connection of any HikariCP pool: those of the data sources, and those of the replicas behind them. */
final class PoolWaiters implements IntSupplier {

    private final Set<HikariDataSource> pools = ConcurrentHashMap.newKeySet();

    PoolWaiters(List<DataSource> sources, List<ReplicaConnections> replicas) {
        sources.stream().filter(PoolWaiters::isPool).map(PoolWaiters::pool).forEach(pools::add);
        replicas.forEach(each -> each.eachPool(pools::add));
    }

    private static boolean isPool(DataSource source) {
        try {
            return source.isWrapperFor(HikariDataSource.class);
        } catch (SQLException | RuntimeException e) {
            // Such as a routing data source that has none to ask yet.
            return false;
        }
    }

    private static HikariDataSource pool(DataSource source) {
        try {
            return source.unwrap(HikariDataSource.class);
        } catch (SQLException e) {
            throw new IllegalStateException("A data source says that it wraps a HikariCP pool and does not.", e);
        }
    }

    int pools() {
        return pools.size();
    }

    @Override
    public int getAsInt() {
        int waiting = 0;
        for (HikariDataSource pool : pools) {
            HikariPoolMXBean bean = pool.getHikariPoolMXBean();
            // A pool that was not asked for a connection yet has none.
            if (bean != null) {
                waiting += bean.getThreadsAwaitingConnection();
            }
        }
        return waiting;
    }
}
