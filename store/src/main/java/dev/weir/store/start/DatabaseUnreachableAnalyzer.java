package dev.weir.store.start;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/** One clear sentence instead of a stack trace when the store cannot get its first connection. */
class DatabaseUnreachableAnalyzer extends AbstractFailureAnalyzer<PSQLException> {

    private final Environment environment;

    DatabaseUnreachableAnalyzer(Environment environment) {
        this.environment = environment;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, PSQLException cause) {
        String state = cause.getSQLState() == null ? "" : cause.getSQLState();
        String url = environment.getProperty("spring.datasource.url", "");
        String user = environment.getProperty("spring.datasource.username", "");
        return switch (state) {
            case "08001", "08004", "08006", "57P03" ->
                analysis(
                        "The store cannot reach its database at " + url + ": " + firstLine(cause),
                        "Start the database, or give its address with --spring.datasource.url=jdbc:postgresql://HOST:PORT/NAME.",
                        rootFailure);
            case "28P01", "28000" ->
                analysis(
                        "The database at " + url + " does not let the user '" + user + "' in: " + firstLine(cause),
                        "Give the right ones with --spring.datasource.username=... and --spring.datasource.password=....",
                        rootFailure);
            case "3D000" ->
                analysis(
                        "The server at " + url + " has no such database: " + firstLine(cause),
                        "Create it, or name another one in --spring.datasource.url.",
                        rootFailure);
            default -> null;
        };
    }

    private static FailureAnalysis analysis(String description, String action, Throwable failure) {
        return new FailureAnalysis(description, action, failure);
    }

    private static String firstLine(SQLException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("no reason given");
    }
}
