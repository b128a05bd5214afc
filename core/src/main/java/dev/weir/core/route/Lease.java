package dev.weir.core.route;

import java.sql.Connection;

/**
 * A connection on loan from a pool.
 *
 * @param server where it leads to
 * @param replica the replica's index, or {@link #PRIMARY}
 * @param held what its end gives back beside the connection
 */
record Lease(Connection connection, String server, int replica, Held held) {

    static final int PRIMARY = -1;

    /** What a lease holds. */
    enum Held {
        /** Nothing but the connection. */
        NOTHING,
        /** One of the reads that a replica has at work. */
        REPLICA,
        /** One of the reads that the primary has at work for its share. */
        SHARE,
        /** A place of the gate for reads that fall back. */
        FALLBACK
    }

    boolean isPrimary() {
        return replica == PRIMARY;
    }
}
