package dev.weir.core.route;

import java.sql.SQLTransientConnectionException;

/** No replica can take the read, and as many such reads as are allowed are on the primary. Trying again later may do. */
public final class ReplicasUnavailableException extends SQLTransientConnectionException {

    private static final long serialVersionUID = 1L;

    ReplicasUnavailableException(String reason) {
        super(reason, "57P03");
    }
}
