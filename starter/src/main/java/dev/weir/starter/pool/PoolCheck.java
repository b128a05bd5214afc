package dev.weir.starter.pool;

import com.zaxxer.hikari.HikariDataSource;
import dev.weir.core.route.HikariServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Asks PostgreSQL once how many connections it allows, before the table of features is logged. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class PoolCheck implements ApplicationListener<ApplicationReadyEvent> {

    private static final Logger log = LoggerFactory.getLogger(PoolCheck.class);
    private static final int TIMEOUT_MILLIS = 1000;
    private static final String ALLOWED = "SELECT current_setting('max_connections')::int"
            + " - current_setting('superuser_reserved_connections')::int"
            + " - coalesce(current_setting('reserved_connections', true), '0')::int";

    private final PoolFeature feature;

    PoolCheck(PoolFeature feature) {
        this.feature = feature;
    }

    @Override
    public void onApplicationEvent(ApplicationReadyEvent event) {
        HikariDataSource pool = feature.pool();
        String url = pool == null ? null : pool.getJdbcUrl();
        if (pool == null || url == null || !url.startsWith("jdbc:postgresql:")) {
            return;
        }
        try (Connection connection = new HikariServer("primary", pool).connect(TIMEOUT_MILLIS);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(ALLOWED)) {
            row.next();
            feature.serverAllows(row.getInt(1));
        } catch (SQLException e) {
            log.debug("The server's max_connections is unknown", e);
        }
    }
}
