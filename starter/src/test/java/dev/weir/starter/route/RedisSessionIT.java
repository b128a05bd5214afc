package dev.weir.starter.route;

import static dev.weir.starter.route.Conditions.DEADLINE;
import static dev.weir.starter.route.Conditions.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.route.ReplicaSet.State;
import dev.weir.stack.Stack;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisRepositoriesAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** A service that keeps its users' tokens in Redis, so that all clients of a user see what any of them wrote. */
@ExtendWith(OutputCaptureExtension.class)
class RedisSessionIT {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private static Stack stack;
    private static ConfigurableApplicationContext context;

    @BeforeAll
    static void start() throws Exception {
        stack = RoutedStack.start(true);
        var application = new SpringApplication(Service.class);
        application.setRegisterShutdownHook(false);
        context = application.run(RoutedStack.settings(
                stack,
                "--spring.data.jpa.repositories.enabled=false",
                "--server.port=0",
                "--spring.data.redis.url=" + stack.redis().url(),
                "--spring.data.redis.timeout=500ms",
                "--spring.data.redis.connect-timeout=500ms"));
        JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
        jdbc.execute("CREATE TABLE note (id int PRIMARY KEY, version bigint NOT NULL)");
        jdbc.update("INSERT INTO note SELECT i, 0 FROM generate_series(1, 10) i");
        var router = Objects.requireNonNull(context.getBean(Routing.class).router());
        await("the replica serves", () -> router.replicas().view(0).state() == State.SERVING);
        await("the table is there", RedisSessionIT::isReplicated);
    }

    @AfterAll
    static void stop() {
        context.close();
        stack.close();
    }

    @Test
    void everyClientOfAUserSeesWhatOneOfThemWroteAlsoWithoutRedis(CapturedOutput output) throws Exception {
        stack.postgres().pauseReplay(1);
        try {
            await("paused", () -> context.getBean(Notes.class).isPaused());
            HttpResponse<String> written = send("ann", "/notes/1/7", true);
            assertThat(written.headers().firstValue("Set-Cookie")).isEmpty();
            assertThat(context.getBean(StringRedisTemplate.class).opsForValue().get("route:ann"))
                    .hasSize(44);
            assertThat(send("ann", "/notes/1", false).body())
                    .as("another client of hers")
                    .isEqualTo("7");
            assertThat(send("bob", "/notes/1", false).body()).isEqualTo("0");
        } finally {
            stack.postgres().resumeReplay(1);
        }
        await("caught up", () -> context.getBean(Notes.class).version(1) == 7);

        stack.redis().server().kill();
        for (int version = 8; version < 11; version++) {
            assertThat(send("ann", "/notes/1/" + version, true).statusCode()).isEqualTo(200);
            assertThat(send("ann", "/notes/1", false).statusCode()).isEqualTo(200);
        }
        assertThat(context.getBean(MeterRegistry.class)
                        .get("weir.route.tokens")
                        .tag("outcome", "failed")
                        .functionCounter()
                        .count())
                .isEqualTo(9);
        assertThat(output.getAll().split("could not (read|write) a token", -1))
                .as("logged once")
                .hasSize(2);
    }

    private static HttpResponse<String> send(String user, String path, boolean write) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(
                        "http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port") + path))
                .timeout(DEADLINE)
                .header("User", user);
        return CLIENT.send(
                (write ? request.POST(HttpRequest.BodyPublishers.noBody()) : request.GET()).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static boolean isReplicated() {
        try {
            return context.getBean(Notes.class).version(10) == 0;
        } catch (RuntimeException e) {
            return false;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(
            exclude = {HibernateJpaAutoConfiguration.class, DataRedisRepositoriesAutoConfiguration.class})
    @Import({Notes.class, Controller.class})
    static class Service {

        @Bean
        MeterRegistry registry() {
            return new SimpleMeterRegistry();
        }

        /** As the guide shows it. */
        @Bean
        SessionCarrier tokensByUser(StringRedisTemplate redis) {
            return new SessionCarrier() {
                @Override
                public @Nullable String read(HttpServletRequest request) {
                    return redis.opsForValue().get("route:" + request.getHeader("User"));
                }

                @Override
                public void write(HttpServletRequest request, HttpServletResponse response, String token) {
                    redis.opsForValue().set("route:" + request.getHeader("User"), token, Duration.ofMinutes(5));
                }
            };
        }
    }

    static class Notes {
        private final JdbcTemplate jdbc;

        Notes(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @Transactional(readOnly = true)
        public long version(int id) {
            return Objects.requireNonNull(jdbc.queryForObject("SELECT version FROM note WHERE id = ?", Long.class, id));
        }

        @Transactional(readOnly = true)
        public boolean isPaused() {
            return "paused".equals(jdbc.queryForObject("SELECT pg_get_wal_replay_pause_state()", String.class));
        }

        @Transactional
        public void write(int id, long version) {
            jdbc.update("UPDATE note SET version = ? WHERE id = ?", version, id);
        }
    }

    @RestController
    static class Controller {
        private final Notes notes;

        Controller(Notes notes) {
            this.notes = notes;
        }

        @GetMapping("/notes/{id}")
        String version(@PathVariable int id) {
            return Long.toString(notes.version(id));
        }

        @PostMapping("/notes/{id}/{version}")
        String write(@PathVariable int id, @PathVariable long version) {
            notes.write(id, version);
            return "written";
        }
    }
}
