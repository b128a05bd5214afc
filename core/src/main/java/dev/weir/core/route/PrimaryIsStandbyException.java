package dev.weir.core.route;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.jspecify.annotations.Nullable;

/** The server that the primary's address leads to is a standby at the moment. Nothing was written. */
public final class PrimaryIsStandbyException extends SQLTransientConnectionException {

    private static final long serialVersionUID = 1L;

    PrimaryIsStandbyException(String server, @Nullable SQLException cause) {
        super(
                ("The server behind the address of %s is a standby, so nothing can be written. After a failover the address must"
                                + " lead to the new primary; this is checked all the time and goes on by itself.")
                        .formatted(server),
                "25006",
                cause);
    }
}
