package dev.weir.starter.route;

import com.zaxxer.hikari.HikariDataSource;
import java.util.function.Consumer;

/** The pools of the replicas, for those who watch pools: no data source of the application unwraps to them. */
public interface ReplicaConnections {

    /** Tells of every pool, these at once and those to come as soon as they are made. */
    void eachPool(Consumer<HikariDataSource> listener);
}
