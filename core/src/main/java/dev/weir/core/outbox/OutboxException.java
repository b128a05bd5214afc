package dev.weir.core.outbox;

import java.io.Serial;
import java.sql.SQLException;

/** An event could not be written into the outbox; its transaction is to be rolled back. */
public final class OutboxException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    OutboxException(String table, SQLException cause) {
        super(
                "The event cannot be written into " + table + ", so its transaction must be rolled back: "
                        + cause.getMessage(),
                cause);
    }
}
