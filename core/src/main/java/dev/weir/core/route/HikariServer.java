package dev.weir.core.route;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import javax.sql.DataSource;

/** A PostgreSQL server with a HikariCP pool, which must be configured by a JDBC URL. Its pool is left open by everything here. */
public final class HikariServer implements PooledServer {

    private static final int MILLIS_A_SECOND = 1000;

    private final String name;
    private final HikariDataSource pool;

    /**
     * @param name for metrics and sentences
     * @throws IllegalArgumentException when the pool has no JDBC URL
     */
    public HikariServer(String name, HikariDataSource pool) {
        if (pool.getJdbcUrl() == null) {
            throw new IllegalArgumentException(
                    "The pool of %s has no JDBC URL; Weir needs one to watch the server. Set jdbc-url in place of a data source class."
                            .formatted(name));
        }
        this.name = name;
        this.pool = pool;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public DataSource pool() {
        return pool;
    }

    /** The pool itself, for its settings. */
    public HikariDataSource hikari() {
        return pool;
    }

    @Override
    public Connection connect(int timeoutMillis) throws SQLException {
        Connection connection = DriverManager.getConnection(bounded(pool.getJdbcUrl(), timeoutMillis), properties());
        try {
            connection.setNetworkTimeout(Runnable::run, timeoutMillis);
            return connection;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /**
     * The address with our bounds behind its own, over which the last one wins; given as properties they would lose to those of
     * the address. The driver takes whole seconds for a socket, and fractions for the login as a whole, names looked up
     * and several hosts tried included.
     */
    static String bounded(String url, int timeoutMillis) {
        int seconds = Math.ceilDiv(timeoutMillis, MILLIS_A_SECOND);
        return url
                + (url.indexOf('?') < 0 ? '?' : '&')
                + "loginTimeout=%s&connectTimeout=%d&socketTimeout=%d"
                        .formatted((double) timeoutMillis / MILLIS_A_SECOND, seconds, seconds);
    }

    private Properties properties() {
        Properties properties = new Properties();
        properties.putAll(pool.getDataSourceProperties());
        String user = pool.getCredentials().getUsername();
        String password = pool.getCredentials().getPassword();
        if (user != null) {
            properties.setProperty("user", user);
        }
        if (password != null) {
            properties.setProperty("password", password);
        }
        properties.setProperty("ApplicationName", "weir-route");
        return properties;
    }

    @Override
    public void evict() {
        HikariPoolMXBean running = pool.getHikariPoolMXBean();
        if (running != null) {
            running.softEvictConnections();
        }
    }
}
