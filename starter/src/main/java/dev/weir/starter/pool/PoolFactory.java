package dev.weir.starter.pool;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/** Makes the pools that are no beans; a bean of this type stands for another class of pools. */
@FunctionalInterface
public interface PoolFactory {

    /** A pool that starts now. */
    HikariDataSource create(HikariConfig config);
}
