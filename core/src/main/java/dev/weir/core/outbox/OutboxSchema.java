package dev.weir.core.outbox;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * The tables of an outbox in PostgreSQL 13 or later.
 *
 * <p>Rows live for moments, so the table is kept small by vacuuming it by count, not by share. The partial index holds only rows that
 * failed; it is what lets their keys wait without a look at all others.
 */
public final class OutboxSchema {
    private static final String EVENT = "id,event_id,key_hash,topic,key,payload,headers,attempts,reason,created_at";

    /** Columns that are used, by what is appended to the table's name. */
    private static final Map<String, String> COLUMNS = columns();

    private OutboxSchema() {}

    private static Map<String, String> columns() {
        Map<String, String> columns = new LinkedHashMap<>();
        columns.put("", EVENT + ",retry_at");
        columns.put("_parked", EVENT + ",parked_at");
        columns.put("_lease", "lane,owner,token,expires_at");
        columns.put("_member", "instance,seen_until");
        return columns;
    }

    /** The statements that make the tables where they are missing; for a migration tool. */
    public static List<String> statements(OutboxConfig config) {
        String table = config.table();
        return List.of(
                """
                CREATE TABLE IF NOT EXISTS %1$s (
                    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                    event_id uuid NOT NULL,
                    key_hash integer NOT NULL,
                    topic text NOT NULL,
                    key bytea,
                    payload bytea NOT NULL,
                    headers bytea,
                    attempts integer NOT NULL DEFAULT 0,
                    retry_at timestamptz,
                    reason text,
                    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
                ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
                        autovacuum_vacuum_cost_delay = 0)""".formatted(table),
                "CREATE INDEX IF NOT EXISTS %1$s_retry ON %1$s (key_hash, id) WHERE retry_at IS NOT NULL"
                        .formatted(table),
                """
                CREATE TABLE IF NOT EXISTS %1$s_parked (
                    id bigint PRIMARY KEY,
                    event_id uuid NOT NULL,
                    key_hash integer NOT NULL,
                    topic text NOT NULL,
                    key bytea,
                    payload bytea NOT NULL,
                    headers bytea,
                    attempts integer NOT NULL,
                    reason text NOT NULL,
                    created_at timestamptz NOT NULL,
                    parked_at timestamptz NOT NULL DEFAULT clock_timestamp()
                )""".formatted(table),
                """
                CREATE TABLE IF NOT EXISTS %1$s_lease (
                    lane integer PRIMARY KEY,
                    owner uuid,
                    token bigint NOT NULL DEFAULT 0,
                    expires_at timestamptz
                )""".formatted(table),
                "INSERT INTO %1$s_lease (lane) SELECT generate_series(0, %2$d) ON CONFLICT DO NOTHING"
                        .formatted(table, OutboxConfig.LANES - 1),
                """
                CREATE TABLE IF NOT EXISTS %1$s_member (
                    instance uuid PRIMARY KEY,
                    seen_until timestamptz NOT NULL
                )""".formatted(table));
    }

    /** Makes what is missing. */
    public static void create(Connection connection, OutboxConfig config) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements(config)) {
                statement.execute(sql);
            }
        }
    }

    /**
     * Makes what is missing, in a transaction of its own; instances that start together wait for each other. Where nothing is missing it
     * only looks, and needs no right to make tables.
     *
     * @throws SQLException if it may not, or the database is another one than PostgreSQL
     */
    public static void ensure(DataSource database, OutboxConfig config) throws SQLException {
        try (Connection connection = database.getConnection()) {
            if (problem(connection, config).isEmpty()) {
                return;
            }
            connection.setAutoCommit(false);
            try {
                lock(connection, config);
                create(connection, config);
                connection.commit();
            } catch (SQLException failed) {
                connection.rollback();
                throw failed;
            } finally {
                connection.setAutoCommit(true);
            }
        }
    }

    private static void lock(Connection connection, OutboxConfig config) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT pg_advisory_xact_lock(?)")) {
            statement.setLong(1, config.table().hashCode());
            statement.execute();
        }
    }

    /**
     * What of the tables is missing, as one sentence; empty if nothing is. Only looks.
     *
     * @throws SQLException if the database cannot be asked, or is another one than PostgreSQL
     */
    public static Optional<String> problem(Connection connection, OutboxConfig config) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        if (!product.equals("PostgreSQL")) {
            throw new SQLException("The outbox needs PostgreSQL; the database is " + product + ".");
        }
        List<String> missing = new ArrayList<>();
        for (Map.Entry<String, String> table : COLUMNS.entrySet()) {
            missing.addAll(missingColumns(connection, config.table() + table.getKey(), table.getValue()));
        }
        if (missing.isEmpty() && lanes(connection, config) < OutboxConfig.LANES) {
            missing.add("rows of " + config.table() + "_lease");
        }
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of("The outbox lacks " + String.join(", ", missing) + ".");
    }

    /** The table itself where all are missing. */
    private static List<String> missingColumns(Connection connection, String table, String wanted) throws SQLException {
        String[] names = wanted.split(",", -1);
        List<String> missing = new ArrayList<>();
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT w FROM unnest(?) w WHERE NOT EXISTS (SELECT 1 FROM pg_attribute a"
                        + " WHERE a.attrelid = to_regclass(?) AND a.attname = w AND NOT a.attisdropped)")) {
            statement.setArray(1, connection.createArrayOf("text", names));
            statement.setString(2, table);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    missing.add(table + "." + rows.getString(1));
                }
            }
        }
        return missing.size() == names.length ? List.of("table " + table) : missing;
    }

    private static int lanes(Connection connection, OutboxConfig config) throws SQLException {
        try (PreparedStatement statement =
                        connection.prepareStatement("SELECT count(*) FROM " + config.table() + "_lease");
                ResultSet rows = statement.executeQuery()) {
            return rows.next() ? rows.getInt(1) : 0;
        }
    }
}
