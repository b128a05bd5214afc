package dev.weir.starter.shed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.express.CaffeineHotEntries;
import dev.weir.core.express.ExpressRoute;
import dev.weir.core.express.Lane;
import dev.weir.core.shed.Admission;
import dev.weir.core.shed.Completion;
import dev.weir.core.shed.Priority;
import dev.weir.core.shed.RefusalReason;
import dev.weir.core.shed.ShedConfig;
import dev.weir.starter.WeirAutoConfiguration;
import dev.weir.starter.express.ExpressAutoConfiguration;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.servlet.autoconfigure.HttpEncodingAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

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
        return start(Service.class, settings);
    }

    private static ServletWebServerApplicationContext start(Class<?> what, String... settings) {
        var application = new SpringApplication(what);
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

    private static void everyKindOfRequest(int port, int clients, int each) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
            List<Future<?>> sent = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                long seed = i;
                sent.add(threads.submit(() -> {
                    var random = new Random(seed);
                    for (int n = 0; n < each; n++) {
                        one(port, random);
                    }
                    return true;
                }));
            }
            for (Future<?> client : sent) {
                client.get();
            }
        }
    }

    /** Whether within the time all places are back, and none more often than it was taken. */
    private static boolean placesComeBack(Admission admission, Duration within) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + within.toNanos();
        while (admission.inFlight() != 0 || admission.waiting() != 0) {
            if (System.nanoTime() - deadlineNanos >= 0) {
                return false;
            }
            Thread.sleep(5);
        }
        return true;
    }

    @Test
    void noPlaceIsLostOrGivenBackTwiceHoweverRequestsEnd() throws Exception {
        try (var service = start("weir.shed.limit=40")) {
            everyKindOfRequest(port(service), 64, 157);

            var admission = service.getBean(Admission.class);
            assertThat(placesComeBack(admission, Duration.ofSeconds(30))).isTrue();
            assertThat(admission.admitted(Priority.NORMAL) + refused(admission, Priority.NORMAL))
                    .isGreaterThan(7_000);
            // A share that was refused much takes in some cohorts only for a while longer.
            await(() -> ask(service, "/", "normal").join().statusCode() == 200);
            await(() -> admission.inFlight() == 0);
        }
    }

    /** Filters that others have written: the test above must tell them from one that is right. */
    enum Broken {
        /** A place is given back on a normal end; what the chain throws keeps it, errors too, of which Tomcat makes exceptions. */
        KEEPS_IT_ON_AN_EXCEPTION {
            @Override
            void serve(Admission admission, long token, FilterChain chain, Exchange exchange)
                    throws IOException, ServletException {
                chain.doFilter(exchange.request(), exchange.response());
                admission.leave(token, Completion.SUCCESS);
            }
        },
        /** An asynchronous request's place is given back when the filter returns, and again when the request ends. */
        GIVES_IT_BACK_TWICE {
            @Override
            void serve(Admission admission, long token, FilterChain chain, Exchange exchange)
                    throws IOException, ServletException {
                try {
                    chain.doFilter(exchange.request(), exchange.response());
                } finally {
                    admission.leave(token, Completion.SUCCESS);
                    if (exchange.request().isAsyncStarted()) {
                        exchange.request().getAsyncContext().addListener(new OnComplete(admission, token));
                    }
                }
            }
        },
        /** An asynchronous request's place is given back on a normal end; a timeout keeps it. */
        KEEPS_IT_ON_A_TIMEOUT {
            @Override
            void serve(Admission admission, long token, FilterChain chain, Exchange exchange)
                    throws IOException, ServletException {
                try {
                    chain.doFilter(exchange.request(), exchange.response());
                } finally {
                    if (exchange.request().isAsyncStarted()) {
                        exchange.request().getAsyncContext().addListener(new OnComplete(admission, token) {
                            private volatile boolean timedOut;

                            @Override
                            public void onTimeout(AsyncEvent event) {
                                timedOut = true;
                            }

                            @Override
                            public void onComplete(AsyncEvent event) {
                                if (!timedOut) {
                                    super.onComplete(event);
                                }
                            }
                        });
                    } else {
                        admission.leave(token, Completion.SUCCESS);
                    }
                }
            }
        };

        record Exchange(ServletRequest request, ServletResponse response) {}

        abstract void serve(Admission admission, long token, FilterChain chain, Exchange exchange)
                throws IOException, ServletException;

        private static class OnComplete implements AsyncListener {
            private final Admission admission;
            private final long token;

            OnComplete(Admission admission, long token) {
                this.admission = admission;
                this.token = token;
            }

            @Override
            public void onComplete(AsyncEvent event) {
                admission.leave(token, Completion.SUCCESS);
            }

            @Override
            public void onTimeout(AsyncEvent event) {}

            @Override
            public void onError(AsyncEvent event) {}

            @Override
            public void onStartAsync(AsyncEvent event) {}
        }
    }

    /** The service with one of those in the place of Weir's. */
    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(TomcatServletWebServerAutoConfiguration.class)
    static class BrokenService {

        @Bean
        Admission admission() {
            return new Admission(ShedConfig.fixed(10_000));
        }

        @Bean
        FilterRegistrationBean<Filter> filter(Admission admission, Environment environment) {
            Broken broken = environment.getRequiredProperty("broken", Broken.class);
            var filter = new FilterRegistrationBean<Filter>((request, response, chain) -> {
                long token = admission.tryEnter(Priority.NORMAL, 1);
                broken.serve(admission, token, chain, new Broken.Exchange(request, response));
            });
            filter.setDispatcherTypes(DispatcherType.REQUEST);
            filter.setAsyncSupported(true);
            return filter;
        }

        @Bean
        ServletRegistrationBean<Endings> endings() {
            return new Service().endings();
        }
    }

    @ParameterizedTest
    @EnumSource
    void theTestOfLostPlacesSeesAFilterThatIsWrong(Broken broken) throws Exception {
        try (var service = start(BrokenService.class, "broken=" + broken)) {
            everyKindOfRequest(port(service), 16, 40);

            assertThat(placesComeBack(service.getBean(Admission.class), Duration.ofSeconds(3)))
                    .isFalse();
        }
    }

    /** What a service has besides: a filter where Spring Security's is, the express lane's, and one of Boot's first. */
    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({HttpEncodingAutoConfiguration.class, ExpressAutoConfiguration.class})
    @Import(Service.class)
    static class Guarded {
        static final int ORDER_OF_SPRING_SECURITY = -100;

        final AtomicInteger seen = new AtomicInteger();

        @Bean
        FilterRegistrationBean<Filter> security() {
            var filter = new FilterRegistrationBean<Filter>((request, response, chain) -> {
                seen.incrementAndGet();
                chain.doFilter(request, response);
            });
            filter.setOrder(ORDER_OF_SPRING_SECURITY);
            return filter;
        }

        @Bean
        ExpressRoute<Long, Long> hot() {
            CaffeineHotEntries<Long, Long> entries = new CaffeineHotEntries<>(10, Duration.ofMinutes(1), id -> id);
            return ExpressRoute.<Long, Long>of("/hot/{id}", Long::valueOf, entries)
                    .produces("text/plain", id -> "hot".getBytes(StandardCharsets.UTF_8))
                    .build();
        }
    }

    @Test
    void whatIsRefusedReachesNeitherSecurityNorTheExpressLane() throws Exception {
        try (var service = start(
                Guarded.class,
                "weir.shed.limit=2",
                "weir.shed.queue.length=0",
                "weir.express.enabled=true",
                "weir.express.harmless-headers=" + HEADER)) {
            var admission = service.getBean(Admission.class);
            ExpressRoute<?, ?> route = service.getBean(ExpressRoute.class);
            await(() -> {
                assertThat(ask(service, "/hot/1", "normal").join().body()).isEqualTo("hot");
                return route.counts().requests(Lane.PORT, 200) > 0;
            });
            await(() -> admission.inFlight() == 0);
            long admitted = admission.admitted(Priority.NORMAL);
            long hot = route.counts().requests(Lane.PORT, 200);
            await(() -> {
                ask(service, "/hot/1", "normal").join();
                return route.counts().requests(Lane.PORT, 200) > hot;
            });
            long lane = route.counts().requests(Lane.PORT, 200) - hot;
            assertThat(lane).as("the poller's answers hold no place").isPositive();
            long viaFilter = admission.admitted(Priority.NORMAL) - admitted;

            List<CompletableFuture<HttpResponse<String>>> held = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                held.add(ask(service, "/held", "normal"));
            }
            await(() -> admission.inFlight() == 2);
            int seen = service.getBean(Guarded.class).seen.get();
            long answered =
                    route.counts().requests(Lane.PORT, 200) + route.counts().requests(Lane.FILTER, 200);

            assertThat(ask(service, "/hot/1", "normal").join().statusCode()).isEqualTo(503);
            assertThat(ask(service, "/", "normal").join().statusCode()).isEqualTo(503);
            assertThat(service.getBean(Guarded.class).seen).hasValue(seen);
            assertThat(route.counts().requests(Lane.PORT, 200) + route.counts().requests(Lane.FILTER, 200))
                    .isEqualTo(answered);
            assertThat(viaFilter)
                    .as("answers that took a place went through the filter")
                    .isNotNegative();

            endings(service).release.countDown();
            for (CompletableFuture<HttpResponse<String>> each : held) {
                assertThat(each.join().statusCode()).isEqualTo(200);
            }
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
