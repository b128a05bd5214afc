package dev.weir.core.outbox;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * The tables of an outbox in PostgreSQL 13 or later.
 *
 * <p>Rows live for moments, so the table is kept small by vacuuming it by count, not by share. The partial index holds only rows that
 * failed; it is what lets their keys wait without a look at all others.
 */
public final class OutboxSchema {
    private OutboxSchema() {}

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
}
