package dev.weir.core.outbox;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * How the tables of an outbox stood at one moment.
 *
 * @param waiting events not delivered yet, counted up to {@link #MOST}
 * @param oldestAge time since the oldest of them was added; zero without any
 * @param parked events set aside, counted up to {@link #MOST}
 */
public record Backlog(long waiting, Duration oldestAge, long parked) {

    /** So many rows are counted; whether there are more matters to nobody. */
    public static final int MOST = 100_000;

    private static final double MILLIS_PER_SECOND = 1_000;

    /** Looks at the tables. One statement. */
    public static Backlog read(DataSource database, OutboxConfig config) throws SQLException {
        String count = "(SELECT count(*) FROM (SELECT 1 FROM %s LIMIT " + MOST + ") counted)";
        String sql = "SELECT " + count.formatted(config.table()) + ", " + count.formatted(config.table() + "_parked")
                + ", (SELECT extract(epoch FROM clock_timestamp() - created_at) FROM " + config.table()
                + " ORDER BY id LIMIT 1)";
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet rows = statement.executeQuery()) {
            if (!rows.next()) {
                throw new SQLException("The database answers no row where it must answer one.");
            }
            return new Backlog(rows.getLong(1), age(rows.getDouble(3)), rows.getLong(2));
        }
    }

    private static Duration age(double seconds) {
        return Duration.ofMillis(Math.max(0, Math.round(seconds * MILLIS_PER_SECOND)));
    }
}
