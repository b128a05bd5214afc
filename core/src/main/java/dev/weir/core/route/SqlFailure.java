package dev.weir.core.route;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;

/** What kind of failure a statement met, by its SQLSTATE (PostgreSQL's documentation, appendix A). */
enum SqlFailure {
    /** The connection is gone: the server was stopped, killed, or is starting. */
    CONNECTION,
    /** A standby cancelled the statement because replay had to go on, or the snapshot is gone. */
    CONFLICT,
    /** A write in a read-only transaction, or on a standby. */
    READ_ONLY,
    /** The statement itself. */
    STATEMENT;

    static SqlFailure of(SQLException failure) {
        String state = failure.getSQLState();
        if (state == null) {
            return isConnection(failure) ? CONNECTION : STATEMENT;
        }
        return switch (state) {
            case "57P01", "57P02", "57P03", "57P05" -> CONNECTION;
            case "40001", "40P01" -> CONFLICT;
            case "25006" -> READ_ONLY;
            default -> state.startsWith("08") || isConnection(failure) ? CONNECTION : STATEMENT;
        };
    }

    private static boolean isConnection(SQLException failure) {
        return failure instanceof SQLNonTransientConnectionException
                || failure instanceof SQLTransientConnectionException
                || failure instanceof SQLRecoverableException;
    }
}
