package dev.weir.bench.broker;

import com.zaxxer.hikari.HikariDataSource;
import dev.weir.stack.Stack;
import dev.weir.stack.StackConfig;
import dev.weir.stack.StackProgress;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** PostgreSQL and Kafka for a run. */
public final class Servers {
    private static final Duration START = Duration.ofMinutes(3);

    private Servers() {}

    /** Both, on free ports, durable; to be closed. */
    public static Stack start() {
        return start(config -> config);
    }

    /** Both with other settings; to be closed. */
    public static Stack start(UnaryOperator<StackConfig> settings) {
        return Stack.start(
                settings.apply(StackConfig.defaults()
                        .withStandbys(0)
                        .withRedis(false)
                        .withKafka(true)
                        .withStartTimeout(START)),
                StackProgress.silent());
    }

    /** Connections to the database, at most so many; to be closed. */
    public static HikariDataSource pool(Stack stack, int connections) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(stack.postgres().jdbcUrl());
        pool.setUsername(stack.postgres().user());
        pool.setPassword(stack.postgres().password());
        pool.setMaximumPoolSize(connections);
        return pool;
    }

    /** CPU time of this process so far. */
    public static long cpuNanos() {
        return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
                .getProcessCpuTime();
    }
}
