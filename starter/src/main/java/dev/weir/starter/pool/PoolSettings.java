package dev.weir.starter.pool;

import com.zaxxer.hikari.HikariConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/** Puts {@code weir.pool} into the settings of a pool, except where its owner has set something else. */
public final class PoolSettings {

    private static final HikariConfig UNTOUCHED = new HikariConfig();

    private final PoolProperties properties;

    /** Settings as configured; applies nothing while the feature is off. */
    PoolSettings(PoolProperties properties) {
        this.properties = properties;
    }

    /**
     * Sets what is still at HikariCP's default and not named by the owner.
     *
     * @param pool a pool that has not started yet
     * @param setByOwner whether a property was set, asked by HikariCP's name in kebab case, such as {@code maximum-pool-size}
     * @return the names of the properties left to the owner
     */
    public List<String> apply(HikariConfig pool, Predicate<String> setByOwner) {
        List<String> left = new ArrayList<>();
        if (!properties.enabled()) {
            return left;
        }
        var setting = new Setting(pool, setByOwner, left);
        setting.set(
                "maximum-pool-size",
                HikariConfig::getMaximumPoolSize,
                size -> pool.setMaximumPoolSize((int) size),
                properties.poolSize());
        setting.set(
                "minimum-idle",
                HikariConfig::getMinimumIdle,
                size -> pool.setMinimumIdle((int) size),
                pool.getMaximumPoolSize());
        setting.set(
                "connection-timeout",
                HikariConfig::getConnectionTimeout,
                pool::setConnectionTimeout,
                properties.connectionTimeout().toMillis());
        setting.set(
                "leak-detection-threshold",
                HikariConfig::getLeakDetectionThreshold,
                pool::setLeakDetectionThreshold,
                properties.leakDetectionThreshold().toMillis());
        setting.set(
                "idle-timeout",
                HikariConfig::getIdleTimeout,
                pool::setIdleTimeout,
                properties.idleTimeout().toMillis());
        setting.set(
                "max-lifetime",
                HikariConfig::getMaxLifetime,
                pool::setMaxLifetime,
                properties.maxLifetime().toMillis());
        return left;
    }

    private record Setting(HikariConfig pool, Predicate<String> setByOwner, List<String> left) {

        void set(String name, ToLongFunction<HikariConfig> read, LongConsumer write, long value) {
            boolean changed = read.applyAsLong(pool) != read.applyAsLong(UNTOUCHED);
            if (changed || setByOwner.test(name)) {
                left.add(name);
            } else {
                write.accept(value);
            }
        }
    }
}
