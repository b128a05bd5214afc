package dev.weir.starter.pool;

import dev.weir.core.size.ConnectionBudget;
import dev.weir.core.size.PoolSize;
import dev.weir.starter.SettingException;
import java.time.Duration;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Sizes and time-outs of HikariCP pools. Whatever is set below {@code spring.datasource.hikari} stays as it is.
 *
 * @param enabled whether pools get these settings
 * @param databaseCores processor cores of each database server; with it a pool has cores x 2 + effective spindles connections, when not set size of them
 * @param effectiveSpindles disks of the database server that seek at the same time; 0 when all data is cached
 * @param size connections of the primary's pool and of each replica's where database-cores is not set
 * @param instances instances of the service that run at the same time, a rolling update counted
 * @param maxConnections max_connections of each database server; when not set, the primary is asked at start, and a pool above its share is only warned of
 * @param reservedConnections connections of each database server that are not for this service
 * @param connectionTimeout how long a caller waits for a connection
 * @param leakDetectionThreshold after which time a connection that was not given back is logged with its stack
 * @param idleTimeout after which time a connection that nobody needs is closed, in a pool that is not of a fixed size
 * @param maxLifetime after which time a connection is replaced
 */
@ConfigurationProperties(prefix = "weir.pool", ignoreUnknownFields = false)
record PoolProperties(
        @DefaultValue("false") boolean enabled,
        @Nullable Integer databaseCores,
        @DefaultValue("1") int effectiveSpindles,
        @DefaultValue("10") int size,
        @DefaultValue("1") int instances,
        @Nullable Integer maxConnections,
        @DefaultValue("3") int reservedConnections,
        @DefaultValue("3s") Duration connectionTimeout,
        @DefaultValue("30s") Duration leakDetectionThreshold,
        @DefaultValue("10m") Duration idleTimeout,
        @DefaultValue("30m") Duration maxLifetime) {

    private static final Duration LEAST_TIMEOUT = Duration.ofMillis(250);
    private static final Duration LEAST_LIFETIME = Duration.ofSeconds(30);
    private static final Duration LEAST_LEAK = Duration.ofSeconds(2);

    PoolProperties {
        atLeast("weir.pool.size", size, 1);
        atLeast("weir.pool.instances", instances, 1);
        atLeast("weir.pool.effective-spindles", effectiveSpindles, 0);
        atLeast("weir.pool.reserved-connections", reservedConnections, 0);
        if (databaseCores != null) {
            atLeast("weir.pool.database-cores", databaseCores, 1);
        }
        atLeast("weir.pool.connection-timeout", connectionTimeout, LEAST_TIMEOUT);
        atLeast("weir.pool.max-lifetime", maxLifetime, LEAST_LIFETIME);
        if (!leakDetectionThreshold.isZero()) {
            atLeast("weir.pool.leak-detection-threshold", leakDetectionThreshold, LEAST_LEAK);
        }
        if (maxConnections != null) {
            requireRoom(maxConnections, reservedConnections, instances);
        }
    }

    private static void requireRoom(int maxConnections, int reserved, int instances) {
        if (maxConnections <= reserved || new ConnectionBudget(maxConnections, reserved, instances).perInstance() < 1) {
            throw new SettingException(
                    "weir.pool.max-connections",
                    maxConnections,
                    "at least %d, one for each of %d instances beside %d reserved"
                            .formatted(reserved + instances, instances, reserved),
                    "Raise it together with the server's max_connections, or put a pooler such as PgBouncer in front.");
        }
    }

    private static void atLeast(String name, int value, int least) {
        if (value < least) {
            throw new SettingException(name, value, "at least " + least, "Correct it, or remove it for the default.");
        }
    }

    private static void atLeast(String name, Duration value, Duration least) {
        if (value.compareTo(least) < 0) {
            throw new SettingException(
                    name, value, "at least " + least.toMillis() + "ms", "Correct it, or remove it for the default.");
        }
    }

    /** Connections of one pool: by the formula where the cores are known, else the given size; never above the share. */
    public int poolSize() {
        int wanted = databaseCores == null ? size : PoolSize.ofServer(databaseCores, effectiveSpindles);
        OptionalInt share = share();
        return share.isPresent() ? Math.min(wanted, share.getAsInt()) : wanted;
    }

    /** What each instance may open on a server, where max-connections is set. */
    OptionalInt share() {
        return maxConnections == null
                ? OptionalInt.empty()
                : OptionalInt.of(new ConnectionBudget(maxConnections, reservedConnections, instances).perInstance());
    }
}
