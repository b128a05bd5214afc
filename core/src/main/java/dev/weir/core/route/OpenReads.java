package dev.weir.core.route;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The connections that the calling thread has taken for reading and not closed. Whoever must read what is current asks it
 * first: a {@link PrimaryScope} moves no transaction that has its connection already. A connection closed by another thread
 * than the one that took it counts as closed from then on.
 */
public final class OpenReads {

    private static final ThreadLocal<@Nullable List<GuardedConnection>> OPEN = new ThreadLocal<>();

    private OpenReads() {}

    /** Whether one of them leads to a replica. */
    public static boolean onReplica() {
        List<GuardedConnection> open = OPEN.get();
        return open != null && open.stream().anyMatch(GuardedConnection::isOnReplica);
    }

    static Connection opened(GuardedConnection connection) {
        List<GuardedConnection> open = OPEN.get();
        if (open == null) {
            open = new ArrayList<>(2);
            OPEN.set(open);
        }
        // Those that other threads have closed.
        open.removeIf(GuardedConnection::isClosed);
        open.add(connection);
        return connection.proxy();
    }

    static void closed(GuardedConnection connection) {
        List<GuardedConnection> open = OPEN.get();
        if (open != null && open.remove(connection) && open.isEmpty()) {
            OPEN.remove();
        }
    }
}
