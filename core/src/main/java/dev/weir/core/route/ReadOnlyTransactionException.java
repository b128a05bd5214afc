package dev.weir.core.route;

import java.sql.SQLException;

/** A write inside a read-only transaction. Nothing was written. */
public final class ReadOnlyTransactionException extends SQLException {

    private static final long serialVersionUID = 1L;

    ReadOnlyTransactionException(String server, SQLException cause) {
        super(
                ("A write inside a read-only transaction (on %s). The outermost transaction decides: remove readOnly from it,"
                                + " or start the write in a transaction of its own (REQUIRES_NEW). The database says: %s")
                        .formatted(server, cause.getMessage()),
                cause.getSQLState(),
                cause.getErrorCode(),
                cause);
    }
}
