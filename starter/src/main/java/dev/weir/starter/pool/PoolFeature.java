package dev.weir.starter.pool;

import com.zaxxer.hikari.HikariDataSource;
import dev.weir.core.size.ConnectionBudget;
import dev.weir.starter.FeatureStatus;
import dev.weir.starter.FeatureStatus.State;
import dev.weir.starter.WeirFeature;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How {@code weir.pool} stands. */
final class PoolFeature implements WeirFeature {

    private final PoolProperties properties;
    private volatile @Nullable HikariDataSource pool;
    private volatile List<String> leftToOwner = List.of();
    private volatile @Nullable Integer serverConnections;

    PoolFeature(PoolProperties properties) {
        this.properties = properties;
    }

    void applied(HikariDataSource sized, List<String> left) {
        pool = sized;
        leftToOwner = List.copyOf(left);
    }

    /** What the primary allows clients that are no superusers. */
    void serverAllows(int connections) {
        serverConnections = connections;
    }

    @Nullable
    HikariDataSource pool() {
        return pool;
    }

    @Override
    public String name() {
        return "pool";
    }

    @Override
    public FeatureStatus status() {
        if (!properties.enabled()) {
            return FeatureStatus.off();
        }
        HikariDataSource sized = pool;
        if (sized == null) {
            return new FeatureStatus(
                    State.UNAVAILABLE,
                    Map.of(),
                    List.of("There is no HikariCP pool in a bean named " + PoolPostProcessor.BEAN
                            + ", so nothing is sized."));
        }
        return new FeatureStatus(State.ON, settings(sized), warnings(sized));
    }

    private Map<String, String> settings(HikariDataSource sized) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("size", Integer.toString(sized.getMaximumPoolSize()));
        settings.put("minimum-idle", Integer.toString(sized.getMinimumIdle()));
        settings.put("connection-timeout", sized.getConnectionTimeout() + "ms");
        settings.put("instances", Integer.toString(properties.instances()));
        if (!leftToOwner.isEmpty()) {
            settings.put("left to spring.datasource.hikari", String.join(" ", leftToOwner));
        }
        var running = sized.getHikariPoolMXBean();
        if (running != null) {
            settings.put("active", Integer.toString(running.getActiveConnections()));
            settings.put("waiting", Integer.toString(running.getThreadsAwaitingConnection()));
        }
        return settings;
    }

    private List<String> warnings(HikariDataSource sized) {
        List<String> warnings = new ArrayList<>();
        Integer allowed = properties.maxConnections() == null ? serverConnections : properties.maxConnections();
        int reserved = properties.maxConnections() == null ? 0 : properties.reservedConnections();
        if (allowed != null && allowed > reserved) {
            int share = new ConnectionBudget(allowed, reserved, properties.instances()).perInstance();
            if (sized.getMaximumPoolSize() > share) {
                warnings.add(
                        "The pool has %d connections, but the server's %d shared by %d instances are %d each: connecting will fail when all instances are busy. Lower the pool's size, raise max_connections, or put a pooler in front."
                                .formatted(
                                        sized.getMaximumPoolSize(), allowed - reserved, properties.instances(), share));
            }
        }
        return warnings;
    }
}
