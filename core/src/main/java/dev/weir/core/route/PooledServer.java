package dev.weir.core.route;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** One database server and the pool of connections to it. All methods may be called from any thread. */
public interface PooledServer {

    /** For metrics and sentences; unique. */
    String name();

    /** The pool; {@code getConnection} may wait for a connection up to the pool's time-out. */
    DataSource pool();

    /**
     * A connection of its own, not from the pool, which must answer even when the pool is exhausted. Connecting must end
     * within {@code timeoutMillis}, and so must each read from it until it is told another network time-out.
     */
    Connection connect(int timeoutMillis) throws SQLException;

    /** Closes the pool's idle connections now and the others when they come back. Does not block for long. */
    void evict();
}
