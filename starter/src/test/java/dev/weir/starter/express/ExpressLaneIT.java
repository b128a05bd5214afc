package dev.weir.starter.express;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.express.CaffeineHotEntries;
import dev.weir.core.express.ExpressRoute;
import dev.weir.core.express.Lane;
import dev.weir.core.express.PortLane;
import dev.weir.starter.FeatureStatus;
import dev.weir.starter.WeirAutoConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcObservationAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;

@Timeout(120)
class ExpressLaneIT {

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @Test
    void answersOnTomcatsPortAndLeavesTheRestToTheApplication() throws Exception {
        try (ServletWebServerApplicationContext context = start("weir.express.enabled=true")) {
            ExpressRoute<?, ?> route = context.getBean("products", ExpressRoute.class);
            HttpResponse<String> first = get(context, "/products/7");
            assertThat(first.body()).isEqualTo("{\"id\":7}");
            assertThat(first.headers().firstValue("ETag")).isPresent();
            for (int i = 0; i < 200 && route.counts().requests(Lane.PORT, 200) == 0; i++) {
                assertThat(get(context, "/products/7").body()).isEqualTo("{\"id\":7}");
            }
            assertThat(route.counts().requests(Lane.PORT, 200)).isPositive();
            assertThat(get(context, "/hello").body()).isEqualTo("controller");
            assertThat(get(context, "/products/x").statusCode()).isEqualTo(404);
            assertThat(status(context).settings().get("port lane")).startsWith("on, ");
            assertThat(metered(context, route.path())).isPositive();
        }
    }

    @Test
    void theFilterAnswersAloneWhereThePortLaneIsOff() throws Exception {
        try (ServletWebServerApplicationContext context =
                start("weir.express.enabled=true", "weir.express.port-lane=off", "server.servlet.context-path=/shop")) {
            ExpressRoute<?, ?> route = context.getBean("products", ExpressRoute.class);
            for (int i = 0; i < 5; i++) {
                assertThat(get(context, "/shop/products/7").body()).isEqualTo("{\"id\":7}");
            }
            assertThat(route.counts().requests(Lane.PORT, 200)).isZero();
            assertThat(status(context).settings()).containsEntry("port lane", "off: weir.express.port-lane is off");
        }
    }

    @Test
    void knowsTheContextPath() throws Exception {
        try (ServletWebServerApplicationContext context =
                start("weir.express.enabled=true", "server.servlet.context-path=/shop")) {
            ExpressRoute<?, ?> route = context.getBean("products", ExpressRoute.class);
            for (int i = 0; i < 200 && route.counts().requests(Lane.PORT, 200) == 0; i++) {
                assertThat(get(context, "/shop/products/7").body()).isEqualTo("{\"id\":7}");
            }
            assertThat(route.counts().requests(Lane.PORT, 200)).isPositive();
        }
    }

    @Test
    void countsInTheStandardTimerWithTheTagsOfTheOthers() throws Exception {
        try (ServletWebServerApplicationContext context = startMetered()) {
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            ExpressRoute<?, ?> route = context.getBean("products", ExpressRoute.class);
            get(context, "/hello");
            HttpResponse<String> first = get(context, "/products/7");
            String tag = first.headers().firstValue("ETag").orElseThrow();
            int asked = 1;
            for (; asked < 200 && route.counts().requests(Lane.PORT, 200) == 0; asked++) {
                get(context, "/products/7");
            }
            URI uri = uri(context, "/products/7");
            client.send(HttpRequest.newBuilder(uri).HEAD().build(), BodyHandlers.discarding());
            client.send(HttpRequest.newBuilder(uri).header("If-None-Match", tag).build(), BodyHandlers.discarding());
            awaitCounted(registry, "/products/{id}", "GET", "200", "SUCCESS", asked);
            awaitCounted(registry, "/products/{id}", "HEAD", "200", "SUCCESS", 1);
            awaitCounted(registry, "/products/{id}", "GET", "304", "REDIRECTION", 1);
            assertThat(tagKeys(registry, "/products/{id}")).contains("team").isEqualTo(tagKeys(registry, "/hello"));
        }
    }

    @Test
    void aFailureIsAnsweredByTheApplicationsExceptionHandlers() throws Exception {
        try (ServletWebServerApplicationContext context = startMetered()) {
            HttpResponse<String> refused = get(context, "/failing/7");
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.body()).isEqualTo("later: no replica for 7");
            assertThat(get(context, "/broken/7").statusCode()).as("no handler").isEqualTo(500);

            MeterRegistry registry = context.getBean(MeterRegistry.class);
            awaitCounted(registry, "/failing/{id}", "GET", "503", "SERVER_ERROR", 1);
            awaitCounted(registry, "/broken/{id}", "GET", "500", "SERVER_ERROR", 1);
            ExpressRoute<?, ?> route = context.getBean("failing", ExpressRoute.class);
            assertThat(route.counts().failures()).isEqualTo(1);
            assertThat(registry.get("weir.express.failures")
                            .tag("uri", "/failing/{id}")
                            .functionCounter()
                            .count())
                    .isEqualTo(1);
        }
    }

    @Test
    void whatNobodyWantsIsCountedAndAnEmptyAcceptWantsAnything() throws Exception {
        try (ServletWebServerApplicationContext context = startMetered()) {
            assertThat(accepting(context, "text/html").statusCode()).isEqualTo(406);
            assertThat(accepting(context, "").body()).isEqualTo("{\"id\":7}");

            MeterRegistry registry = context.getBean(MeterRegistry.class);
            awaitCounted(registry, "/products/{id}", "GET", "406", "CLIENT_ERROR", 1);
            awaitCounted(registry, "/products/{id}", "GET", "200", "SUCCESS", 1);
            assertThat(registry.get("weir.express.requests")
                            .tags("uri", "/products/{id}", "lane", "filter", "status", "406")
                            .functionTimer()
                            .count())
                    .isEqualTo(1);
        }
    }

    private HttpResponse<String> accepting(ServletWebServerApplicationContext context, String types) throws Exception {
        return client.send(
                HttpRequest.newBuilder(uri(context, "/products/7"))
                        .header("Accept", types)
                        .build(),
                BodyHandlers.ofString());
    }

    @Test
    void leavesTheStandardTimerAloneWhereAskedTo() throws Exception {
        try (ServletWebServerApplicationContext context = startMetered("weir.express.server-requests=false")) {
            get(context, "/products/7");
            assertThat(context.getBean(MeterRegistry.class)
                            .find("http.server.requests")
                            .timers())
                    .isEmpty();
        }
    }

    @Test
    void changesNothingWhileItIsOff() throws Exception {
        try (ServletWebServerApplicationContext context = start()) {
            assertThat(get(context, "/products/7").statusCode()).isEqualTo(404);
            assertThat(context.getBeanNamesForType(PortLane.class)).isEmpty();
        }
    }

    private static ServletWebServerApplicationContext startMetered(String... properties) {
        List<String> all =
                new ArrayList<>(List.of("weir.express.enabled=true", "management.observations.key-values.team=shop"));
        all.addAll(List.of(properties));
        return start(MeteredShop.class, all.toArray(String[]::new));
    }

    private static ServletWebServerApplicationContext start(String... properties) {
        return start(Shop.class, properties);
    }

    private static ServletWebServerApplicationContext start(Class<?> configuration, String... properties) {
        SpringApplication application = new SpringApplication(configuration);
        String[] arguments = new String[properties.length + 1];
        arguments[0] = "--server.port=0";
        for (int i = 0; i < properties.length; i++) {
            arguments[i + 1] = "--" + properties[i];
        }
        return (ServletWebServerApplicationContext) application.run(arguments);
    }

    private static FeatureStatus status(ServletWebServerApplicationContext context) {
        return context.getBean(ExpressFeature.class).status();
    }

    private static double metered(ServletWebServerApplicationContext context, String uri) {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        context.getBean("weirExpressMeters", MeterBinder.class).bindTo(registry);
        return registry.get("weir.express.requests")
                .tags("uri", uri, "lane", "port", "status", "200")
                .functionTimer()
                .count();
    }

    /** The poller counts after it has written, so the client may be first. */
    private static void awaitCounted(
            MeterRegistry registry, String uri, String method, String status, String outcome, long expected) {
        long start = System.nanoTime();
        long counted = 0;
        while (counted != expected && System.nanoTime() - start < 10_000_000_000L) {
            Timer timer = registry.find("http.server.requests")
                    .tags("uri", uri, "method", method, "status", status, "outcome", outcome)
                    .timer();
            counted = timer == null ? 0 : timer.count();
            Thread.onSpinWait();
        }
        assertThat(counted).as("%s answered with %s", method, status).isEqualTo(expected);
    }

    private static Set<String> tagKeys(MeterRegistry registry, String uri) {
        return registry.get("http.server.requests").tags("uri", uri).timers().stream()
                .flatMap(timer -> timer.getId().getTags().stream())
                .map(Tag::getKey)
                .collect(Collectors.toSet());
    }

    private HttpResponse<String> get(ServletWebServerApplicationContext context, String path) throws Exception {
        return client.send(HttpRequest.newBuilder(uri(context, path)).build(), BodyHandlers.ofString());
    }

    private static URI uri(ServletWebServerApplicationContext context, String path) {
        return URI.create(
                "http://127.0.0.1:" + context.getEnvironment().getRequiredProperty("local.server.port") + path);
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        MetricsAutoConfiguration.class,
        CompositeMeterRegistryAutoConfiguration.class,
        SimpleMetricsExportAutoConfiguration.class,
        ObservationAutoConfiguration.class,
        WebMvcObservationAutoConfiguration.class
    })
    static class MeteredShop extends Shop {}

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        TomcatServletWebServerAutoConfiguration.class,
        DispatcherServletAutoConfiguration.class,
        HttpMessageConvertersAutoConfiguration.class,
        WebMvcAutoConfiguration.class,
        WeirAutoConfiguration.class,
        ExpressAutoConfiguration.class
    })
    @Import(Advice.class)
    @RestController
    static class Shop {

        @Bean
        ExpressRoute<Long, Long> products() {
            CaffeineHotEntries<Long, Long> entries = new CaffeineHotEntries<>(10, Duration.ofMinutes(1), id -> id);
            return ExpressRoute.<Long, Long>of("/products/{id}", Long::valueOf, entries)
                    .produces("application/json", id -> ("{\"id\":" + id + "}").getBytes(StandardCharsets.UTF_8))
                    .build();
        }

        @Bean
        ExpressRoute<Long, Long> failing() {
            return failing("/failing/{id}", id -> {
                throw new TransientDataAccessResourceException("no replica for " + id);
            });
        }

        @Bean
        ExpressRoute<Long, Long> broken() {
            return failing("/broken/{id}", id -> {
                throw new IOException("broken");
            });
        }

        private static ExpressRoute<Long, Long> failing(String path, CaffeineHotEntries.Loader<Long, Long> loader) {
            return ExpressRoute.<Long, Long>of(
                            path, Long::valueOf, new CaffeineHotEntries<>(10, Duration.ofMinutes(1), loader))
                    .produces("application/json", id -> new byte[0])
                    .build();
        }

        @GetMapping("/hello")
        String hello() {
            return "controller";
        }
    }

    @RestControllerAdvice
    static class Advice {

        @ExceptionHandler
        @ResponseStatus(HttpStatus.SERVICE_UNAVAILABLE)
        String later(TransientDataAccessResourceException refused) {
            return "later: " + refused.getMessage();
        }
    }
}
