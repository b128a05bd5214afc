package dev.weir.starter.shed;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.function.IntSupplier;
import javax.sql.DataSource;

/** Threads that wait for a connection of any HikariCP pool among the data sources. */
final class PoolWaiters implements IntSupplier {

    private final List<HikariDataSource> pools;

    PoolWaiters(List<DataSource> sources) {
        this.pools = sources.stream()
                .filter(PoolWaiters::isPool)
                .map(PoolWaiters::pool)
                .distinct()
                .toList();
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

    /** A pool that was not asked for a connection yet has no bean. */
    @Override
    public int getAsInt() {
        return pools.stream()
                .map(HikariDataSource::getHikariPoolMXBean)
                .filter(Objects::nonNull)
                .mapToInt(HikariPoolMXBean::getThreadsAwaitingConnection)
                .sum();
    }
}
