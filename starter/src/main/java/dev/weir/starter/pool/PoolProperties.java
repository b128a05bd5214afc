package dev.weir.starter.pool;

import dev.weir.core.size.ConnectionBudget;
import dev.weir.core.size.PoolSize;
import dev.weir.core.time.DurationText;
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
 * @param connectionTimeout how long a caller waits for a connection, 250ms to 10m
 * @param leakDetectionThreshold after which time a connection that was not given back is logged with its stack, 2s to max-lifetime; 0 for never
 * @param idleTimeout after which time a connection that nobody needs is closed, in a pool that is not of a fixed size, 10s to 1d; 0 for never
 * @param maxLifetime after which time a connection is replaced, 30s to 1d
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

    private static final int MOST = 10_000;
    private static final Duration LEAST_TIMEOUT = Duration.ofMillis(250);
    private static final Duration MOST_TIMEOUT = Duration.ofMinutes(10);
    private static final Duration LEAST_LIFETIME = Duration.ofSeconds(30);
    private static final Duration MOST_LIFETIME = Duration.ofDays(1);
    private static final Duration LEAST_LEAK = Duration.ofSeconds(2);
    private static final Duration LEAST_IDLE = Duration.ofSeconds(10);

    /** What HikariCP would correct with a line in its log is refused. */
    PoolProperties {
        inRange("weir.pool.size", size, 1);
        inRange("weir.pool.instances", instances, 1);
        inRange("weir.pool.effective-spindles", effectiveSpindles, 0);
        inRange("weir.pool.reserved-connections", reservedConnections, 0);
        if (databaseCores != null) {
            inRange("weir.pool.database-cores", databaseCores, 1);
        }
        inRange("weir.pool.connection-timeout", connectionTimeout, LEAST_TIMEOUT, MOST_TIMEOUT);
        inRange("weir.pool.max-lifetime", maxLifetime, LEAST_LIFETIME, MOST_LIFETIME);
        if (!leakDetectionThreshold.isZero()) {
            inRange("weir.pool.leak-detection-threshold", leakDetectionThreshold, LEAST_LEAK, maxLifetime);
        }
        if (!idleTimeout.isZero()) {
            inRange("weir.pool.idle-timeout", idleTimeout, LEAST_IDLE, MOST_LIFETIME);
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

    private static void inRange(String name, int value, int least) {
        if (value < least || value > MOST) {
            throw new SettingException(
                    name, value, "from " + least + " to " + MOST, "Correct it, or remove it for the default.");
        }
    }

    private static void inRange(String name, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new SettingException(
                    name,
                    DurationText.of(value),
                    "from %s to %s".formatted(DurationText.of(least), DurationText.of(most)),
                    "Correct it, or remove it for the default.");
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
