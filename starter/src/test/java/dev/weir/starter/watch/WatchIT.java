package dev.weir.starter.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.watch.Kind;
import dev.weir.core.watch.Offence;
import dev.weir.core.watch.RequestWatch;
import dev.weir.stack.Stack;
import dev.weir.stack.StackConfig;
import dev.weir.stack.StackProgress;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import org.springframework.web.context.request.async.DeferredResult;

/** Budgets of real requests: Tomcat, virtual threads, a real PostgreSQL and a real Redis. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ExtendWith(OutputCaptureExtension.class)
class WatchIT {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private static Stack stack;
    private static ConfigurableApplicationContext context;
    private static RequestWatch watch;

    @BeforeAll
    static void start() throws Exception {
        stack = Stack.start(
                StackConfig.defaults()
                        .withStandbys(0)
                        .withStartTimeout(Duration.ofMinutes(3))
                        .withCacheFolder(Path.of("target", "stack-cache").toAbsolutePath()),
                StackProgress.silent());
        context = SpringApplication.run(
                Service.class,
                "--spring.main.banner-mode=off",
                "--server.port=0",
                "--spring.threads.virtual.enabled=true",
                "--spring.datasource.url=" + stack.postgres().jdbcUrl(),
                "--spring.datasource.username=" + stack.postgres().user(),
                "--spring.datasource.password=" + stack.postgres().password(),
                "--spring.data.redis.url=redis://127.0.0.1:" + stack.redis().port(),
                "--spring.data.redis.repositories.enabled=false",
                "--spring.data.jpa.repositories.enabled=false",
                "--weir.shed.enabled=true",
                "--weir.watch.enabled=true",
                "--weir.watch.log-every=0s",
                "--weir.watch.server-timing=true",
                "--weir.watch.many.threads=3");
        watch = context.getBean(RequestWatch.class);
    }

    @AfterAll
    static void stop() {
        if (context != null) {
            context.close();
        }
        if (stack != null) {
            stack.close();
        }
    }

    @Test
    void aSlowStatementIsNamedWithTheBudgetOfItsRequest(CapturedOutput output) throws Exception {
        HttpResponse<String> answer = get("/slow");

        assertThat(answer.headers().firstValue("Server-Timing"))
                .hasValueSatisfying(header -> assertThat(header).contains("sql;dur=", "pool;dur=", "total;dur="));
        until(() -> output.getAll().contains("weir.watch sql="));
        assertThat(output.getAll())
                .containsPattern("weir.watch sql=1\\d\\d\\.\\dms limit=100.0ms what=\"SELECT pg_sleep\\(\\?\\)\""
                        + " suppressed=0 request=\"GET /slow\" status=200 total=.* admission=.* pool=.* sql=");
    }

    @Test
    void queriesAndBeansOfARequestAreCountedAndNamed(CapturedOutput output) throws Exception {
        long queries = watch.queries();
        long beans = watch.beans();

        get("/many");

        until(() -> watch.beans() >= beans + 30);
        assertThat(watch.queries()).isEqualTo(queries + 30);
        until(() -> output.getAll().contains("weir.watch beans="));
        assertThat(output.getAll())
                .contains("what=\"SELECT ? + ?\"")
                .contains("weir.watch beans=20 limit=20 what=\"" + Service.Helper.class.getName() + "\"")
                .contains("beans=30 (30 of ");
    }

    /** Two of 60 ms each at the same time, on virtual threads of the request's own. */
    @Test
    void parallelStatementsCountOnceInTheUnion() throws Exception {
        long sum = watch.sumNanos(Kind.SQL);
        long union = watch.unionNanos(Kind.SQL);
        long threads = watch.threads();

        get("/parallel");

        until(() -> watch.threads() >= threads + 2);
        long added = watch.sumNanos(Kind.SQL) - sum;
        assertThat(added).isGreaterThanOrEqualTo(Duration.ofMillis(120).toNanos());
        assertThat(watch.unionNanos(Kind.SQL) - union).isLessThan(added);
    }

    @Test
    void workHandedToTheApplicationsExecutorBelongsToTheRequest() throws Exception {
        long queries = watch.queries();

        assertThat(get("/async").body()).isEqualTo("1");

        until(() -> watch.queries() == queries + 1);
    }

    @Test
    void rowsFetchedInPiecesAreTimeOfTheStatement() throws Exception {
        int callsBefore = (int) watch.calls(Kind.SQL);

        assertThat(get("/fetched").body()).isEqualTo("100");

        // The statement, a hundred rows and the end of them, and the commit.
        until(() -> watch.calls(Kind.SQL) >= callsBefore + 102);
    }

    @Test
    void redisAndOtherServicesHaveTheirPart() throws Exception {
        long redis = watch.calls(Kind.REDIS);
        long remote = watch.calls(Kind.REMOTE);

        get("/redis");
        get("/remote");

        until(() -> watch.calls(Kind.REDIS) > redis && watch.calls(Kind.REMOTE) > remote);
    }

    @Test
    void bodiesAreSerializationAndWhatHandlersThrowIsCounted() throws Exception {
        long serialization = watch.calls(Kind.SERIALIZATION);
        long exceptions = watch.exceptions();

        assertThat(post("/echo", "{\"a\": 1}").statusCode()).isEqualTo(200);
        until(() -> watch.calls(Kind.SERIALIZATION) >= serialization + 2);
        assertThat(post("/echo", "{not json").statusCode()).isEqualTo(400);
        assertThat(get("/broken").statusCode()).isEqualTo(500);

        until(() -> watch.exceptions() >= exceptions + 2);
    }

    @Test
    void whatARequestLogsIsCounted() throws Exception {
        long bytes = watch.logBytes();
        long offences = watch.offences(Offence.LOG);

        get("/chatty");

        until(() -> watch.logBytes() >= bytes + 70_000);
        assertThat(watch.offences(Offence.LOG)).isEqualTo(offences + 1);
    }

    @Test
    void aRequestThatTimesOutEndsToo() throws Exception {
        long requests = watch.requests();

        assertThat(get("/never").statusCode()).isEqualTo(503);

        until(() -> watch.requests() > requests);
    }

    @Test
    void theMetersAndTheTableTellTheSame() throws Exception {
        get("/slow");
        until(() -> watch.calls(Kind.SQL) > 0);

        MeterRegistry registry = context.getBean(MeterRegistry.class);
        assertThat(registry.get("weir.watch.calls")
                        .tag("kind", "sql")
                        .functionTimer()
                        .count())
                .isPositive();
        assertThat(registry.get("hikaricp.connections.max").gauge().value()).isEqualTo(10);
        assertThat(context.getBean(WatchFeature.class).status().warnings()).isEmpty();
        assertThat(context.getBean(WatchFeature.class).status().settings()).containsKeys("sql", "rest", "mean");
    }

    private static HttpResponse<String> get(String path) throws Exception {
        return send(HttpRequest.newBuilder(uri(path)).build());
    }

    private static HttpResponse<String> post(String path, String body) throws Exception {
        return send(HttpRequest.newBuilder(uri(path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    private static HttpResponse<String> send(HttpRequest request) throws Exception {
        return CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static URI uri(String path) {
        return URI.create("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port") + path);
    }

    /** A request ends a moment after its answer was sent. */
    private static void until(BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.sleep(2);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = HibernateJpaAutoConfiguration.class)
    static class Service {

        static final class Helper {}

        @Bean
        @Scope("prototype")
        Helper helper() {
            return new Helper();
        }

        @Bean
        Api api(
                JdbcTemplate jdbc,
                TransactionTemplate transactions,
                StringRedisTemplate redis,
                ObjectProvider<Helper> helpers,
                ObservationRegistry observations,
                Environment environment) {
            return new Api(
                    jdbc,
                    transactions,
                    redis,
                    helpers,
                    RestClient.builder().observationRegistry(observations).build(),
                    environment);
        }
    }

    @RestController
    record Api(
            JdbcTemplate jdbc,
            TransactionTemplate transactions,
            StringRedisTemplate keys,
            ObjectProvider<Service.Helper> helpers,
            RestClient client,
            Environment environment) {

        private static final Logger log = LoggerFactory.getLogger(Api.class);

        @GetMapping("/slow")
        String slow() {
            jdbc.execute("SELECT pg_sleep(0.12)");
            return "slow";
        }

        @GetMapping("/many")
        String many() {
            for (int i = 0; i < 30; i++) {
                helpers.getObject();
                jdbc.queryForObject("SELECT 1 + 1", Integer.class);
            }
            return "many";
        }

        @GetMapping("/parallel")
        String parallel() throws Exception {
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                Callable<String> each = () -> {
                    jdbc.execute("SELECT pg_sleep(0.06)");
                    return "";
                };
                threads.invokeAll(List.of(each, each));
            }
            return "parallel";
        }

        @GetMapping("/async")
        Callable<String> async() {
            return () -> String.valueOf(jdbc.queryForObject("SELECT 1", Integer.class));
        }

        @GetMapping("/never")
        DeferredResult<String> never() {
            return new DeferredResult<>(50L);
        }

        @GetMapping("/fetched")
        String fetched() {
            JdbcTemplate pieces = new JdbcTemplate(Objects.requireNonNull(jdbc.getDataSource()));
            pieces.setFetchSize(10);
            Integer rows = transactions.execute(
                    status -> pieces.query("SELECT i FROM generate_series(1, 100) AS i", (row, number) -> row.getInt(1))
                            .size());
            return String.valueOf(rows);
        }

        @GetMapping("/redis")
        String redis() {
            keys.opsForValue().set("key", "value");
            return String.valueOf(keys.opsForValue().get("key"));
        }

        @GetMapping("/remote")
        String remote() {
            return String.valueOf(client.get()
                    .uri("http://127.0.0.1:{port}/redis", environment.getProperty("local.server.port"))
                    .retrieve()
                    .body(String.class));
        }

        @PostMapping("/echo")
        Map<String, Object> echo(@RequestBody Map<String, Object> body) {
            return body;
        }

        @GetMapping("/broken")
        String broken() {
            return environment.getRequiredProperty("as.asked.for");
        }

        @GetMapping("/chatty")
        String chatty() {
            log.info("{}", "x".repeat(70_000));
            return "chatty";
        }
    }
}
