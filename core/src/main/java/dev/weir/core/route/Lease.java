package dev.weir.core.route;

import java.sql.Connection;

/**
 * A connection on loan from a pool.
 *
 * @param server where it leads to
 * @param replica the replica's index, or {@link #PRIMARY}
 * @param fellBack whether it holds a place of the gate for reads that fall back
 */
record Lease(Connection connection, String server, int replica, boolean fellBack) {

    static final int PRIMARY = -1;

    boolean isPrimary() {
        return replica == PRIMARY;
    }
}
