package dev.weir.store;

import dev.weir.stack.Postgres;
import dev.weir.stack.Stack;
import dev.weir.stack.StackConfig;
import dev.weir.stack.StackProgress;
import dev.weir.store.provider.ProviderServer;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;

/**
 * One store for each form with one database and provider, for all integration tests of a run, stopped after the last one. The
 * provider answers at once before each test.
 */
public final class RunningStore implements BeforeAllCallback, BeforeEachCallback {

    /** Small enough to be seeded in no time, large enough for several pages. */
    public static final int PRODUCTS = 2_000;

    /** Few, so that a test can have more requests at once. */
    public static final int SERVER_THREADS = 20;

    private static final String PROMPT =
            "{\"latencyMillis\": 0, \"failureRate\": 0, \"declineRate\": 0, \"limitPerSecond\": 0}";

    private record Servers(Stack stack, ProviderServer provider) implements AutoCloseable {

        static Servers start() {
            try {
                StackConfig config = StackConfig.defaults().withStandbys(0).withRedis(false);
                return new Servers(Stack.start(config, StackProgress.silent()), ProviderServer.start(0));
            } catch (IOException e) {
                throw new IllegalStateException("The servers of the tests do not start", e);
            }
        }

        ConfigurableApplicationContext run(List<String> form) {
            List<String> settings = new ArrayList<>(List.of(
                    "--server.port=0",
                    "--server.tomcat.threads.max=" + SERVER_THREADS,
                    "--spring.datasource.url=" + stack.postgres().jdbcUrl(),
                    "--spring.datasource.username=" + stack.postgres().user(),
                    "--spring.datasource.password=" + stack.postgres().password(),
                    "--spring.datasource.hikari.connection-init-sql=set lock_timeout = '1500ms'",
                    "--store.seed.products=" + PRODUCTS,
                    "--store.payments.url=" + provider.url(),
                    "--store.payments.timeout=1s",
                    "--store.messages.url=" + provider.url(),
                    "--store.messages.timeout=1s"));
            settings.addAll(form);
            return SpringApplication.run(StoreApplication.class, settings.toArray(String[]::new));
        }

        @Override
        public void close() {
            provider.close();
            stack.close();
        }
    }

    private record Running(Servers servers, ConfigurableApplicationContext context) implements AutoCloseable {

        @Override
        public void close() {
            context.close();
        }
    }

    private final List<String> form;
    private @Nullable Running running;

    /** The stock form with these settings. */
    public RunningStore(String... settings) {
        form = List.of(settings);
    }

    private Running run(ExtensionContext context) {
        var kept = context.getRoot().getStore(Namespace.create(RunningStore.class));
        // Closed in the opposite order: the stores before their servers.
        Servers servers = kept.computeIfAbsent(Servers.class, type -> Servers.start(), Servers.class);
        return kept.computeIfAbsent(form, settings -> new Running(servers, servers.run(settings)), Running.class);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        running = run(context);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        provider().configure("{\"payments\": %s, \"messages\": %s}".formatted(PROMPT, PROMPT));
    }

    private Running running() {
        return Objects.requireNonNull(running, "The extension has not been registered");
    }

    /** Sends requests to the store. */
    public Http http() {
        Environment environment = running().context().getEnvironment();
        return new Http(Objects.requireNonNull(environment.getProperty("local.server.port", Integer.class)));
    }

    /** A part of the running store. */
    public <T> T bean(Class<T> type) {
        return running().context().getBean(type);
    }

    /** The provider the store is set to. */
    public ProviderServer provider() {
        return running().servers().provider();
    }

    /** The database, for a second store. */
    public Postgres postgres() {
        return running().servers().stack().postgres();
    }

    /** A connection of the test's own. */
    public Connection connect() throws SQLException {
        Postgres postgres = postgres();
        return DriverManager.getConnection(postgres.jdbcUrl(), postgres.user(), postgres.password());
    }

    /** The number that a query answers. */
    public long count(String sql) throws SQLException {
        try (Connection connection = connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    /** Runs one statement. */
    public void execute(String sql) throws SQLException {
        try (Connection connection = connect();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
