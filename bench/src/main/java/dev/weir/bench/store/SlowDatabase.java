package dev.weir.bench.store;

import dev.weir.stack.Postgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Makes a statement on a product hold its connection for a fixed time, asleep: the table becomes a view that sleeps. A server
 * can then do no more than its connections over that time, however many servers share the processors, and servers add up.
 */
final class SlowDatabase {

    private static final Duration REPLAYED_WITHIN = Duration.ofSeconds(30);

    private SlowDatabase() {}

    /** Changes the primary and waits until the standbys have it too. Nothing may use the products meanwhile. */
    static void slowDown(Postgres postgres, Duration held) throws SQLException {
        try (Connection connection = connect(postgres, postgres.jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute("alter table products rename to product_rows");
            statement.execute(String.format(
                    Locale.ROOT,
                    "create view products as select r.* from pg_sleep(%.3f) as held, product_rows r",
                    held.toMillis() / 1e3));
            statement.execute("""
                    create function change_product() returns trigger language plpgsql as $$
                    begin
                      update product_rows set price_cents = new.price_cents, updated_at = new.updated_at where id = old.id;
                      return new;
                    end $$""");
            statement.execute("create trigger change_product instead of update on products"
                    + " for each row execute function change_product()");
        }
        for (String standby : postgres.standbyJdbcUrls()) {
            awaitView(postgres, standby);
        }
    }

    private static void awaitView(Postgres postgres, String url) throws SQLException {
        long deadline = System.nanoTime() + REPLAYED_WITHIN.toNanos();
        try (Connection connection = connect(postgres, url);
                Statement statement = connection.createStatement()) {
            while (!hasView(statement)) {
                if (System.nanoTime() - deadline > 0) {
                    throw new IllegalStateException("A standby did not replay within " + REPLAYED_WITHIN + ".");
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            }
        }
    }

    private static boolean hasView(Statement statement) throws SQLException {
        try (ResultSet row =
                statement.executeQuery("select exists (select from pg_trigger where tgname = 'change_product')")) {
            return row.next() && row.getBoolean(1);
        }
    }

    private static Connection connect(Postgres postgres, String url) throws SQLException {
        return DriverManager.getConnection(url, postgres.user(), postgres.password());
    }
}
