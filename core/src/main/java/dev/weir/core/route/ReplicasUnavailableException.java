package dev.weir.core.route;

import java.sql.SQLTransientException;

/** No replica can take the read, and as many such reads as are allowed are on the primary. Trying again later may do. */
public final class ReplicasUnavailableException extends SQLTransientException {

    private static final long serialVersionUID = 1L;

    ReplicasUnavailableException(String reason) {
        super(reason, "57P03");
    }
}
