package dev.weir.starter.route;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.weir.core.route.HikariServer;
import dev.weir.starter.pool.PoolFactory;
import dev.weir.starter.pool.PoolSettings;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/**
 * Makes the pool of a replica: the primary's settings below {@code spring.datasource.hikari}, over them the replica's own,
 * then what {@code weir.pool} says about the rest.
 */
final class ReplicaPools {

    private static final String PRIMARY = "spring.datasource.hikari";
    private static final long CONNECTION_TIMEOUT_MILLIS = 1000;

    private final Binder binder;
    private final PoolSettings settings;
    private final PoolFactory factory;

    ReplicaPools(Binder binder, PoolSettings settings, PoolFactory factory) {
        this.binder = binder;
        this.settings = settings;
        this.factory = factory;
    }

    /**
     * The pool, started; it connects to the replica in the background.
     *
     * @param dryRun whether nothing will be asked of it, so that it need not connect
     */
    HikariServer create(String name, RouteProperties.Replica replica, HikariDataSource primary, boolean dryRun) {
        // Names of replicas may hold what names of properties may not.
        var own = ConfigurationPropertyName.adapt("weir.route.replicas." + name + ".hikari", '.');
        var config = new HikariConfig();
        binder.bind(PRIMARY, Bindable.ofInstance(config));
        config.setPoolName(name);
        binder.bind(own, Bindable.ofInstance(config), new NoUnboundElementsBindHandler(BindHandler.DEFAULT));
        connect(config, replica, primary);
        settings.apply(
                config,
                property -> isSet(own.append(property))
                        || isSet(ConfigurationPropertyName.of(PRIMARY).append(property)));
        if (!isSet(own.append("connection-timeout"))) {
            // A read can go elsewhere, so it gives up on one replica sooner.
            config.setConnectionTimeout(Math.min(config.getConnectionTimeout(), CONNECTION_TIMEOUT_MILLIS));
        }
        if (dryRun) {
            config.setMinimumIdle(0);
        }
        return new HikariServer(name, factory.create(config));
    }

    private static void connect(HikariConfig config, RouteProperties.Replica replica, HikariDataSource primary) {
        var credentials = primary.getCredentials();
        config.setDataSourceClassName(null);
        config.setJdbcUrl(replica.url());
        config.setUsername(replica.username() == null ? credentials.getUsername() : replica.username());
        config.setPassword(replica.password() == null ? credentials.getPassword() : replica.password());
        if (primary.getDriverClassName() != null) {
            config.setDriverClassName(primary.getDriverClassName());
        }
        config.setReadOnly(true);
        config.setRegisterMbeans(primary.isRegisterMbeans());
        // The service starts without this replica, which is taken in when it is there.
        config.setInitializationFailTimeout(-1);
    }

    private boolean isSet(ConfigurationPropertyName property) {
        return binder.bind(property, Bindable.of(String.class)).isBound();
    }
}
