package dev.weir.starter.route;

import com.zaxxer.hikari.HikariDataSource;
import dev.weir.core.route.HikariServer;
import dev.weir.core.route.Router;
import dev.weir.core.time.NanoClock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;

/** The router of this application, from the moment its data source is made; ends with the application. */
final class Routing implements ReplicaConnections, AutoCloseable {

    private final RouteProperties properties;
    private final ReplicaPools pools;
    private final List<HikariServer> replicas = new ArrayList<>();
    private final List<Consumer<HikariDataSource>> poolListeners = new ArrayList<>();
    private volatile @Nullable Router router;

    Routing(RouteProperties properties, ReplicaPools pools) {
        this.properties = properties;
        this.pools = pools;
    }

    /** The router, once there is one. */
    @Nullable
    Router router() {
        return router;
    }

    @Override
    public synchronized void eachPool(Consumer<HikariDataSource> listener) {
        poolListeners.add(listener);
        replicas.forEach(replica -> listener.accept(replica.hikari()));
    }

    /**
     * Puts routing before the primary's pool. Outermost is Spring's proxy that takes a connection no sooner than for the first
     * statement, when the transaction has said whether it is read-only.
     */
    synchronized DataSource route(HikariDataSource primary) {
        var server = new HikariServer("primary", primary);
        List<Double> weights = new ArrayList<>();
        properties.replicas().forEach((name, replica) -> {
            replicas.add(pools.create(name, replica, primary, properties.mode() == RouteProperties.Mode.DRY_RUN));
            weights.add(replica.weight());
        });
        replicas.forEach(replica -> poolListeners.forEach(listener -> listener.accept(replica.hikari())));
        Router made = new Router(properties.config(), server, replicas, weights, NanoClock.system());
        made.start();
        router = made;
        return lazily(made, primary);
    }

    private static DataSource lazily(Router router, HikariDataSource primary) {
        var proxy = new LazyConnectionDataSourceProxy();
        proxy.setTargetDataSource(router.writes());
        proxy.setReadOnlyDataSource(router.reads());
        proxy.setDefaultAutoCommit(primary.isAutoCommit());
        proxy.afterPropertiesSet();
        return proxy;
    }

    @Override
    public synchronized void close() {
        Router running = router;
        if (running != null) {
            running.close();
        }
        replicas.forEach(replica -> replica.hikari().close());
    }
}
