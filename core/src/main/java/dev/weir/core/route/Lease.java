package dev.weir.core.route;

import java.sql.Connection;

/**
 * A connection on loan from a pool.
 *
 * @param server where it leads to
 * @param held what its end gives back beside the connection
 */
record Lease(Connection connection, String server, Held held) {

    /** What a lease holds. */
    sealed interface Held {}

    /**
     * One of the reads that a replica has at work.
     *
     * @param index its place in the list
     */
    record OfReplica(int index) implements Held {}

    /** What a lease of the primary holds. */
    enum OfPrimary implements Held {
        /** Nothing but the connection. */
        NOTHING,
        /** One of the reads that the primary has at work for its share. */
        SHARE,
        /** A place of the gate for reads that fall back. */
        FALLBACK
    }
}
