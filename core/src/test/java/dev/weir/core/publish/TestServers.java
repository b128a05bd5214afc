package dev.weir.core.publish;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.weir.stack.Stack;
import dev.weir.stack.StackConfig;
import dev.weir.stack.StackProgress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** A real PostgreSQL and a real Kafka for tests, and what those tests have in common. */
public final class TestServers {

    /** May throw what the question throws. */
    @FunctionalInterface
    public interface Condition {
        /** Whether it holds now. */
        boolean holds() throws Exception;
    }

    private TestServers() {}

    /** Both, to be closed. */
    public static Stack start() {
        return start(config -> config);
    }

    /** Both with other settings, to be closed. */
    public static Stack start(UnaryOperator<StackConfig> settings) {
        return Stack.start(
                settings.apply(StackConfig.defaults()
                        .withStandbys(0)
                        .withRedis(false)
                        .withKafka(true)
                        .withStartTimeout(Duration.ofMinutes(3))
                        .withCacheFolder(Path.of("target", "stack-cache").toAbsolutePath())),
                StackProgress.silent());
    }

    /** Connections, to be closed. */
    public static HikariDataSource pool(Stack stack) {
        HikariDataSource database = new HikariDataSource();
        database.setJdbcUrl(stack.postgres().jdbcUrl());
        database.setUsername(stack.postgres().user());
        database.setPassword(stack.postgres().password());
        database.setMaximumPoolSize(12);
        return database;
    }

    /** Waits for something, 40 seconds at most. */
    public static void await(String what, Condition condition) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
        while (!condition.holds()) {
            assertThat(System.nanoTime() - end).as(what).isNegative();
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    /** Numbers as texts, the last one excluded. */
    public static List<String> numbers(int from, int to) {
        return IntStream.range(from, to).mapToObj(String::valueOf).toList();
    }

    /** The numbers below this one dealt out in turn to "key-0" and so on. */
    public static Map<String, List<String>> dealt(int numbers, int keys) {
        Map<String, List<String>> byKey = new TreeMap<>();
        for (int i = 0; i < numbers; i++) {
            byKey.computeIfAbsent("key-" + i % keys, key -> new ArrayList<>()).add(String.valueOf(i));
        }
        return byKey;
    }
}
