package dev.weir.starter.shed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.shed.Admission;
import dev.weir.core.shed.Priority;
import dev.weir.core.shed.RefusalReason;
import dev.weir.starter.WeirAutoConfiguration;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The filter in a real Tomcat. */
@Timeout(120)
class ShedOverTomcatTest {

    private static final String HEADER = "X-Request-Priority";

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** Ends a request in every way there is. */
    @SuppressWarnings("serial")
    static final class Endings extends HttpServlet {
        final CountDownLatch release = new CountDownLatch(1);

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            switch (request.getServletPath()) {
                case "/held" -> hold();
                case "/broken" -> throw new IllegalStateException("as asked for");
                case "/error" -> throw new AssertionError("as asked for");
                case "/async" -> {
                    AsyncContext async = request.startAsync();
                    async.start(async::complete);
                }
                case "/late" -> request.startAsync().setTimeout(1);
                case "/large" -> response.getOutputStream().write(new byte[1 << 20]);
                default -> response.getOutputStream().print("ok");
            }
        }

        private void hold() {
            try {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        TomcatServletWebServerAutoConfiguration.class,
        WeirAutoConfiguration.class,
        ShedAutoConfiguration.class
    })
    static class Service {

        @Bean
        ServletRegistrationBean<Endings> endings() {
            var servlet = new ServletRegistrationBean<>(new Endings(), "/");
            servlet.setAsyncSupported(true);
            return servlet;
        }
    }

    private static ServletWebServerApplicationContext start(String... settings) {
        var application = new SpringApplication(Service.class);
        return (ServletWebServerApplicationContext) application.run(Stream.concat(
                        Stream.of(
                                "server.port=0",
                                "server.address=127.0.0.1",
                                "weir.shed.enabled=true",
                                "weir.shed.mode=fixed",
                                "logging.level.root=off"),
                        Stream.of(settings))
                .map(setting -> "--" + setting)
                .toArray(String[]::new));
    }

    private static int port(ServletWebServerApplicationContext service) {
        return Objects.requireNonNull(service.getWebServer()).getPort();
    }

    private CompletableFuture<HttpResponse<String>> ask(
            ServletWebServerApplicationContext service, String path, String priority) {
        return client.sendAsync(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port(service) + path))
                        .header(HEADER, priority)
                        .build(),
                BodyHandlers.ofString());
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.getAsBoolean() && System.nanoTime() - deadlineNanos < 0) {
            Thread.sleep(5);
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    private static Endings endings(ServletWebServerApplicationContext service) {
        return (Endings) Objects.requireNonNull(
                service.getBean(ServletRegistrationBean.class).getServlet());
    }

    private static long refused(Admission admission, Priority priority) {
        return Stream.of(RefusalReason.values())
                .mapToLong(reason -> admission.refused(reason, priority))
                .sum();
    }

    @Test
    void lowRequestsAreRefusedWhileCriticalOnesAndExemptPathsAreServed() throws Exception {
        try (var service = start("weir.shed.limit=10", "weir.shed.queue.length=0", "weir.shed.trusted=127.0.0.0/8")) {
            var admission = service.getBean(Admission.class);
            List<CompletableFuture<HttpResponse<String>>> low = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                low.add(ask(service, "/held", "low"));
            }
            await(() -> admission.inFlight(Priority.LOW) + refused(admission, Priority.LOW) == 20);

            HttpResponse<String> answer = ask(service, "/", "low").join();
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
            assertThat(answer.headers().firstValueAsLong("Retry-After").orElseThrow())
                    .isBetween(1L, 30L);
            assertThat(answer.body()).contains("\"status\":503");
            assertThat(ask(service, "/", "critical").join().statusCode()).isEqualTo(200);
            assertThat(ask(service, "/actuator/health", "low").join().statusCode())
                    .isEqualTo(200);
            assertThat(ask(service, "/actuatorx", "low").join().statusCode()).isEqualTo(503);

            endings(service).release.countDown();
            assertThat(low.stream().map(each -> each.join().statusCode())).contains(200, 503);
            assertThat(refused(admission, Priority.CRITICAL)).isZero();
            await(() -> admission.inFlight() == 0);
        }
    }

    @Test
    void aPriorityThatAnybodySaysOfItselfDoesNotCount() {
        try (var service = start("weir.shed.trusted=10.0.0.0/8")) {
            assertThat(ask(service, "/", "critical").join().statusCode()).isEqualTo(200);

            assertThat(service.getBean(Admission.class).admitted(Priority.CRITICAL))
                    .isZero();
        }
    }

    @Test
    void aCallerOverItsQuotaIsToldSo() {
        try (var service = start("weir.shed.quota.per-second=0.001", "weir.shed.quota.burst=1")) {
            assertThat(ask(service, "/", "normal").join().statusCode()).isEqualTo(200);

            assertThat(ask(service, "/", "normal").join().statusCode()).isEqualTo(429);
        }
    }

    @Test
    void aDryRunCountsAndRefusesNothing() {
        try (var service =
                start("weir.shed.dry-run=true", "weir.shed.quota.per-second=0.001", "weir.shed.quota.burst=1")) {
            for (int i = 0; i < 5; i++) {
                assertThat(ask(service, "/", "normal").join().statusCode()).isEqualTo(200);
            }

            assertThat(service.getBean(Admission.class).refused(RefusalReason.QUOTA, Priority.NORMAL))
                    .isEqualTo(4);
        }
    }

    @Test
    void noPlaceIsLostOrGivenBackTwiceHoweverRequestsEnd() throws Exception {
        try (var service = start("weir.shed.limit=40");
                ExecutorService clients = Executors.newFixedThreadPool(64)) {
            List<Future<?>> sent = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                long seed = i;
                sent.add(clients.submit(() -> {
                    var random = new Random(seed);
                    for (int n = 0; n < 157; n++) {
                        one(port(service), random);
                    }
                    return true;
                }));
            }
            for (Future<?> each : sent) {
                each.get();
            }

            var admission = service.getBean(Admission.class);
            await(() -> admission.inFlight() == 0 && admission.waiting() == 0);
            assertThat(admission.admitted(Priority.NORMAL) + refused(admission, Priority.NORMAL))
                    .isGreaterThan(7_000);
            // A share that was refused much takes in some cohorts only for a while longer.
            await(() -> ask(service, "/", "normal").join().statusCode() == 200);
            await(() -> admission.inFlight() == 0);
        }
    }

    private static void one(int port, Random random) throws IOException {
        String[] paths = {
            "/", "/a", "/broken", "/error", "/async", "/b", "/large", "/async", "/c", "/error", "/broken", "/late"
        };
        String path = paths[random.nextInt(paths.length)];
        boolean leaves = path.equals("/large") || random.nextInt(4) == 0;
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream()
                    .write("GET %s HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                            .formatted(path)
                            .getBytes(StandardCharsets.US_ASCII));
            if (leaves) {
                socket.setSoLinger(true, 0);
            } else {
                var unused = socket.getInputStream().readAllBytes();
            }
        }
    }
}
