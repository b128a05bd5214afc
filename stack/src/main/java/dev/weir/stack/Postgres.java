package dev.weir.stack;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * PostgreSQL of a running stack: a primary and its standbys, each with fsync and synchronous_commit on.
 *
 * <p>Standbys are numbered from 1. The methods that speak SQL need a PostgreSQL JDBC driver on the caller's class path.
 */
public final class Postgres {
    private final Server primary;
    private final List<Server> standbys;
    private final String password;

    Postgres(Server primary, List<Server> standbys, String password) {
        this.primary = primary;
        this.standbys = List.copyOf(standbys);
        this.password = password;
    }

    /** The primary's server process. */
    public Server primary() {
        return primary;
    }

    /** The standbys' server processes, in order. */
    public List<Server> standbys() {
        return standbys;
    }

    /** Where the primary's database is, without user and password. */
    public String jdbcUrl() {
        return jdbcUrl(primary.port());
    }

    /** Where the standbys' databases are, in order. */
    public List<String> standbyJdbcUrls() {
        return standbys.stream().map(standby -> jdbcUrl(standby.port())).toList();
    }

    /** The user, a superuser. */
    public String user() {
        return PostgresFiles.USER;
    }

    /** The user's password: random, made with the first database of this cache folder. */
    public String password() {
        return password;
    }

    /** Stops applying changes on a standby: it stays readable and falls behind. */
    public void pauseReplay(int standby) {
        execute(standby, "SELECT pg_wal_replay_pause()");
    }

    /** Applies changes again. */
    public void resumeReplay(int standby) {
        execute(standby, "SELECT pg_wal_replay_resume()");
    }

    /** Makes a standby a primary of its own and waits until it takes writes, 60 seconds at most. The old primary is left alone. */
    public void promote(int standby) {
        execute(standby, "SELECT pg_promote(true, 60)");
    }

    private void execute(int standby, String statement) {
        if (standby < 1 || standby > standbys.size()) {
            throw new IllegalArgumentException(
                    "There is no standby %d; this stack has %d, numbered from 1.".formatted(standby, standbys.size()));
        }
        Server server = standbys.get(standby - 1);
        try (Connection connection = DriverManager.getConnection(jdbcUrl(server.port()), user(), password);
                Statement call = connection.createStatement()) {
            call.execute(statement);
        } catch (SQLException e) {
            throw new StackException(
                    "%s did not answer '%s': %s".formatted(server.label(), statement, e.getMessage()), e);
        }
    }

    static String jdbcUrl(int port) {
        return "jdbc:postgresql://127.0.0.1:%d/%s".formatted(port, PostgresFiles.DATABASE);
    }
}
