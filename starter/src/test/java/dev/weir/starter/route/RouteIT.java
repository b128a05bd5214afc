package dev.weir.starter.route;

import static dev.weir.starter.route.Conditions.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.cache.LayeredCache;
import dev.weir.core.route.Lsn;
import dev.weir.core.route.PrimaryScope;
import dev.weir.core.route.ReadOnlyTransactionException;
import dev.weir.core.route.ReplicaSet.State;
import dev.weir.core.route.RouteCounters.Reason;
import dev.weir.core.route.Router;
import dev.weir.core.route.SessionTokens;
import dev.weir.stack.Stack;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** A web service with a primary and one standby, as its clients see it. */
@ExtendWith(OutputCaptureExtension.class)
class RouteIT {

    private static final String KEY = "the key that all instances share";

    private static Stack stack;
    private static ConfigurableApplicationContext context;
    private static Items items;
    private static Router router;

    @BeforeAll
    static void start() throws Exception {
        stack = RoutedStack.start(false);
        context = application(Service.class).run(settings("--server.port=0"));
        items = context.getBean(Items.class);
        router = Objects.requireNonNull(context.getBean(Routing.class).router());
        context.getBean(JdbcTemplate.class).execute("CREATE TABLE item (id int PRIMARY KEY, version bigint NOT NULL)");
        context.getBean(JdbcTemplate.class).update("INSERT INTO item SELECT i, 0 FROM generate_series(1, 10) i");
        await("the replica serves", () -> router.replicas().view(0).state() == State.SERVING);
        await("the table is there", RouteIT::isReplicated);
    }

    private static SpringApplication application(Class<?>... sources) {
        var application = new SpringApplication(sources);
        application.setRegisterShutdownHook(false);
        return application;
    }

    private static String[] settings(String... more) {
        List<String> all = new ArrayList<>(List.of(
                "--spring.data.jpa.repositories.enabled=false",
                "--weir.pool.enabled=true",
                "--weir.pool.size=4",
                "--weir.cache.enabled=true",
                "--weir.cache.mode=local",
                "--weir.route.session.key=" + KEY));
        all.addAll(List.of(more));
        return RoutedStack.settings(stack, all.toArray(String[]::new));
    }

    private static boolean isReplicated() {
        try {
            return items.version(10) == 0 && items.isOnStandby();
        } catch (RuntimeException e) {
            return false;
        }
    }

    @AfterAll
    static void stop() {
        context.close();
        stack.close();
    }

    @Test
    void transactionsGoWhereTheirDeclarationSays() throws Exception {
        assertThat(items.isOnStandby()).isTrue();
        assertThat(items.writerIsOnStandby()).isFalse();
        assertThat(PrimaryScope.call(() -> items.isOnStandby())).isFalse();
        assertThat(items.withoutTransactionIsOnStandby()).isFalse();
        assertThat(context.getBean(RouteFeature.class).status().settings()).containsEntry("self-check", "passed");
        assertThat(context.getBean(RouteFeature.class).status().warnings()).isEmpty();
    }

    @Test
    void methodsAndClassesMayAskForThePrimary() {
        assertThat(items.isOnStandby()).isTrue();
        assertThat(items.primaryIsOnStandby()).isFalse();
        assertThat(context.getBean(Audit.class).isOnStandby()).isFalse();
        assertThatThrownBy(() -> items.failsOnPrimary())
                .isInstanceOf(IOException.class)
                .hasMessage("as thrown");
        assertThat(PrimaryScope.isActive()).isFalse();
        assertThat(items.isOnStandby()).isTrue();
    }

    @Test
    void theOuterTransactionDecidesForTheInnerOne() {
        assertThat(items.writeThenReadInside(1, 77)).isEqualTo(77);
        assertThat(items.readThenNewWriteInside()).isFalse();
        assertThatThrownBy(() -> items.readThenWriteInside(1, 78))
                .hasRootCauseInstanceOf(SQLException.class)
                .hasStackTraceContaining(ReadOnlyTransactionException.class.getName())
                .hasStackTraceContaining("The outermost transaction decides");
        assertThat(items.writeThenReadInside(1, 0)).isZero();
    }

    @Test
    void aClientThatWroteReadsItsWriteWhileReplayStandsStill() throws Exception {
        stack.postgres().pauseReplay(1);
        try {
            await("paused", () -> items.isPaused());
            for (int version = 1; version <= 5; version++) {
                String cookie = cookie(post("/items/2/" + version));
                assertThat(get("/items/2", cookie)).isEqualTo(Integer.toString(version));
                assertThat(get("/items/2/later", cookie)).isEqualTo(Integer.toString(version));
                assertThat(get("/items/2", null)).isEqualTo("0");
            }
        } finally {
            stack.postgres().resumeReplay(1);
        }
        await("caught up", () -> items.version(2) == 5);
    }

    @Test
    void whatAnOpenTransactionReadsOnALateReplicaAfterAnEvictionIsNotKept() throws Exception {
        Cache cache = Objects.requireNonNull(context.getBean(CacheManager.class).getCache("items"));
        stack.postgres().pauseReplay(1);
        try {
            await("paused", () -> items.isPaused());
            items.write(5, 50);
            cache.evict(5);
            assertThat(((LayeredCache<?, ?>) cache.getNativeCache()).config().guardFor())
                    .as("as long as a replica may be late")
                    .isEqualTo(context.getBean(ReplicaStaleness.class).longest())
                    .isGreaterThan(Duration.ofMinutes(1));

            assertThat(items.versionOnReplicaThenThrough(cache, 5)).isZero();
            assertThat(cache.get(5, () -> items.version(5))).isEqualTo(50L);

            items.write(5, 51);
            cache.evict(5);
            assertThat(items.versionThrough(cache, 5)).as("no connection yet").isEqualTo(51);
            assertThat(cache.get(5, Long.class)).isEqualTo(51L);
        } finally {
            stack.postgres().resumeReplay(1);
        }
        await("caught up", () -> items.version(5) == 51);
    }

    @Test
    void aForgedTokenCannotChooseThePrimary() throws Exception {
        String forged = new SessionTokens(
                        List.of("a key that only the attacker knows".getBytes(StandardCharsets.UTF_8)),
                        Duration.ofMinutes(5),
                        InstantSource.system())
                .issue(Lsn.PRIMARY_ONLY);
        long before = router.counters().primaryReads(Reason.NOT_REPLAYED);
        double invalid = tokens("invalid");

        assertThat(get("/standby", "weir-route=" + forged)).isEqualTo("true");
        assertThat(get("/standby", "weir-route=garbage")).isEqualTo("true");
        assertThat(get("/standby", "weir-route=")).isEqualTo("true");

        assertThat(router.counters().primaryReads(Reason.NOT_REPLAYED)).isEqualTo(before);
        assertThat(tokens("invalid")).isGreaterThanOrEqualTo(invalid + 2);
    }

    @Test
    void onlyRequestsThatWriteGetAToken() throws Exception {
        assertThat(send(request("/standby", null).GET()).headers().firstValue("Set-Cookie"))
                .isEmpty();
        assertThat(post("/items/3/0").headers().firstValue("Set-Cookie"))
                .get()
                .asString()
                .startsWith("weir-route=")
                .contains("Path=/", "Max-Age=300", "HttpOnly", "SameSite=Lax")
                .doesNotContain("Secure");
    }

    @Test
    void metersCountWhereReadsWent() {
        MeterRegistry registry = context.getBean(MeterRegistry.class);
        items.isOnStandby();
        assertThat(registry.get("weir.route.reads")
                        .tags("target", "replica-1", "reason", "replica")
                        .functionCounter()
                        .count())
                .isPositive();
        assertThat(registry.get("weir.route.replica.serving")
                        .tag("replica", "replica-1")
                        .gauge()
                        .value())
                .isEqualTo(1);
        assertThat(registry.get("hikaricp.connections")
                        .tag("pool", "replica-1")
                        .gauge()
                        .value())
                .isPositive();
        assertThat(registry.find("weir.route.replica.lag").gauge()).isNotNull();
    }

    @Test
    void aWrapperThatTouchesTheConnectionEarlyStopsTheStart(CapturedOutput output) {
        var application = application(Items.class, Plain.class, TouchingWrapper.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        assertThatThrownBy(() -> application.run(settings())).isInstanceOf(RouteBrokenException.class);
        assertThat(output)
                .contains("weir.route is on, but routing does not work")
                .contains(TouchingDataSource.class.getName())
                .contains("weir.route.self-check=warn");
    }

    @Test
    void theSameIsOnlyWarnedOfWhereThatIsAskedFor() {
        var application = application(Items.class, Plain.class, TouchingWrapper.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        try (var broken = application.run(settings("--weir.route.self-check=warn"))) {
            assertThat(broken.getBean(RouteFeature.class).status().warnings())
                    .anyMatch(warning -> warning.startsWith("A read-only transaction took a connection for writing."));
        }
    }

    @Test
    void aHeaderCarriesTheTokenAsWell() throws Exception {
        try (var other =
                application(Service.class).run(settings("--server.port=0", "--weir.route.session.carrier=header"))) {
            int port = port(other);
            var written = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/items/4/9"))
                                    .POST(HttpRequest.BodyPublishers.noBody())
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            String token = written.headers().firstValue("Weir-Route").orElseThrow();
            assertThat(get("/items/4", "weir-route=" + token)).isEqualTo("9");
        }
    }

    private static double tokens(String outcome) {
        return context.getBean(MeterRegistry.class)
                .get("weir.route.tokens")
                .tag("outcome", outcome)
                .functionCounter()
                .count();
    }

    private static String cookie(HttpResponse<String> response) {
        String header = response.headers().firstValue("Set-Cookie").orElseThrow();
        return header.substring(0, header.indexOf(';'));
    }

    private static HttpResponse<String> post(String path) throws Exception {
        return send(request(path, null).POST(HttpRequest.BodyPublishers.noBody()));
    }

    private static String get(String path, @Nullable String cookie) throws Exception {
        return send(request(path, cookie).GET()).body();
    }

    private static HttpRequest.Builder request(String path, @Nullable String cookie) {
        var builder = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port(context) + path));
        Optional.ofNullable(cookie).ifPresent(value -> builder.header("Cookie", value));
        return builder;
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        HttpResponse<String> response =
                HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return response;
    }

    private static int port(ConfigurableApplicationContext of) {
        return Integer.parseInt(Objects.requireNonNull(of.getEnvironment().getProperty("local.server.port")));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = HibernateJpaAutoConfiguration.class)
    @Import({Items.class, Inner.class, Audit.class, Controller.class})
    static class Service {

        @Bean
        MeterRegistry registry() {
            return new SimpleMeterRegistry();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = HibernateJpaAutoConfiguration.class)
    @Import(Inner.class)
    static class Plain {}

    /** What datasource-micrometer 2.2.1 does: asks for the URL right after the connection was taken. */
    @Configuration(proxyBeanMethods = false)
    static class TouchingWrapper {

        @Bean
        static BeanPostProcessor touching() {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String beanName) {
                    return bean instanceof DataSource source ? new TouchingDataSource(source) : bean;
                }
            };
        }
    }

    static final class TouchingDataSource extends DelegatingDataSource {

        TouchingDataSource(DataSource target) {
            super(target);
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = super.getConnection();
            connection.getMetaData().getURL();
            return connection;
        }
    }

    static class Items {
        private final JdbcTemplate jdbc;
        private final Inner inner;

        Items(JdbcTemplate jdbc, Inner inner) {
            this.jdbc = jdbc;
            this.inner = inner;
        }

        @Transactional(readOnly = true)
        public boolean isOnStandby() {
            return inRecovery();
        }

        @UsePrimary
        @Transactional(readOnly = true)
        public boolean primaryIsOnStandby() {
            return inRecovery();
        }

        @UsePrimary
        @Transactional(readOnly = true)
        public boolean failsOnPrimary() throws IOException {
            if (inRecovery()) {
                return true;
            }
            throw new IOException("as thrown");
        }

        @Transactional
        public boolean writerIsOnStandby() {
            return inRecovery();
        }

        public boolean withoutTransactionIsOnStandby() {
            return inRecovery();
        }

        private boolean inRecovery() {
            return Boolean.TRUE.equals(jdbc.queryForObject("SELECT pg_is_in_recovery()", Boolean.class));
        }

        @Transactional(readOnly = true)
        public boolean isPaused() {
            return "paused".equals(jdbc.queryForObject("SELECT pg_get_wal_replay_pause_state()", String.class));
        }

        @Transactional(readOnly = true)
        public long version(int id) {
            return Objects.requireNonNull(jdbc.queryForObject("SELECT version FROM item WHERE id = ?", Long.class, id));
        }

        @Transactional(readOnly = true)
        public long versionOnReplicaThenThrough(Cache cache, int id) {
            assertThat(inRecovery()).isTrue();
            return versionThrough(cache, id);
        }

        @Transactional(readOnly = true)
        public long versionThrough(Cache cache, int id) {
            return Objects.requireNonNull(cache.get(id, () -> version(id)));
        }

        @Transactional
        public void write(int id, long version) {
            jdbc.update("UPDATE item SET version = ? WHERE id = ?", version, id);
        }

        @Transactional
        public long writeThenReadInside(int id, long version) {
            jdbc.update("UPDATE item SET version = ? WHERE id = ?", version, id);
            return inner.version(id);
        }

        @Transactional(readOnly = true)
        public void readThenWriteInside(int id, long version) {
            inner.write(id, version);
        }

        @Transactional(readOnly = true)
        public boolean readThenNewWriteInside() {
            return inRecovery() && inner.newWriterIsOnStandby();
        }
    }

    @UsePrimary
    static class Audit {
        private final JdbcTemplate jdbc;

        Audit(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @Transactional(readOnly = true)
        public boolean isOnStandby() {
            return Boolean.TRUE.equals(jdbc.queryForObject("SELECT pg_is_in_recovery()", Boolean.class));
        }
    }

    static class Inner {
        private final JdbcTemplate jdbc;

        Inner(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @Transactional(readOnly = true)
        public long version(int id) {
            return Objects.requireNonNull(jdbc.queryForObject("SELECT version FROM item WHERE id = ?", Long.class, id));
        }

        @Transactional
        public void write(int id, long version) {
            jdbc.update("UPDATE item SET version = ? WHERE id = ?", version, id);
        }

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public boolean newWriterIsOnStandby() {
            return Boolean.TRUE.equals(jdbc.queryForObject("SELECT pg_is_in_recovery()", Boolean.class));
        }
    }

    @RestController
    static class Controller {
        private final Items items;

        Controller(Items items) {
            this.items = items;
        }

        @GetMapping("/standby")
        String standby() {
            return Boolean.toString(items.isOnStandby());
        }

        @GetMapping("/items/{id}")
        String version(@PathVariable int id) {
            return Long.toString(items.version(id));
        }

        @GetMapping("/items/{id}/later")
        Callable<String> later(@PathVariable int id) {
            return () -> Long.toString(items.version(id));
        }

        @PostMapping("/items/{id}/{version}")
        String write(@PathVariable int id, @PathVariable long version) {
            items.write(id, version);
            return "written";
        }
    }
}
