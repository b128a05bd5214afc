package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.stack.Postgres;
import dev.weir.stack.Stack;
import dev.weir.stack.StackConfig;
import dev.weir.stack.StackProgress;
import dev.weir.store.provider.ProviderServer;
import java.io.IOException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;

/** Each feature alone on the stock form: only it is on, and clients read and write as without it. */
class FeaturesAloneIT {

    private static final List<String> FEATURES = List.of(
            "cache", "defer", "express", "outbox", "pool", "publish", "route", "shed", "target", "threads", "watch");

    private static @Nullable Stack stack;
    private static @Nullable ProviderServer provider;

    @BeforeAll
    static void start() throws IOException {
        stack = Stack.start(StackConfig.defaults().withStandbys(1).withKafka(true), StackProgress.silent());
        provider = ProviderServer.start(0);
    }

    @AfterAll
    static void stop() {
        if (provider != null) {
            provider.close();
        }
        if (stack != null) {
            stack.close();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "threads", "cache", "route", "pool", "express", "defer", "outbox", "publish", "shed", "target", "watch"
            })
    void theStoreWorksWithOneFeatureAlone(String feature) {
        try (ConfigurableApplicationContext context =
                SpringApplication.run(StoreApplication.class, settings(feature))) {
            Http http = http(context);
            onlyThisIsOn(http, feature);
            aPriceIsReadAsItWasWritten(http);
            anOrderTakesFromTheStock(http);
            assertThat(http.get("/api/products?query=desk").status()).isEqualTo(200);
            assertThat(http.get("/api/products/999").problem()).isEqualTo("product-not-found");
            onlyThisIsOn(http, feature);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--store.orders.stock=reserved",
                "--store.orders.totals=deferred",
                "--store.orders.audit=best-effort --weir.defer.enabled=true",
                "--store.orders.events=deferred --weir.outbox.enabled=true"
            })
    void ordersAreTheSameWithOneTechniqueAlone(String technique) {
        List<String> settings = new ArrayList<>(settings());
        settings.add(kafka());
        settings.addAll(List.of(technique.split(" ", -1)));
        try (ConfigurableApplicationContext context =
                SpringApplication.run(StoreApplication.class, settings.toArray(String[]::new))) {
            Http http = http(context);
            long before = totalCents(http);

            anOrderTakesFromTheStock(http);

            Until.isTrue(() -> totalCents(http) > before);
            var order =
                    http.post("/api/orders", "{\"customerId\": 2, \"items\": [{\"productId\": 7, \"quantity\": 1}]}");
            String events = order.header("location") + "/events";
            Until.isTrue(() -> http.get(events).status() == 200);
            assertThat(http.get(events).json().path(0).path("status").asString())
                    .isEqualTo("PAID");
        }
    }

    private static long totalCents(Http http) {
        return http.get("/api/totals/" + LocalDate.now(ZoneOffset.UTC))
                .json()
                .path("totalCents")
                .asLong();
    }

    private static Http http(ConfigurableApplicationContext context) {
        return new Http(
                Objects.requireNonNull(context.getEnvironment().getProperty("local.server.port", Integer.class)));
    }

    private static void onlyThisIsOn(Http http, String feature) {
        JsonNode features = http.get("/actuator/weir").json().path("features");
        assertThat(features.size()).isEqualTo(FEATURES.size());
        for (String each : FEATURES) {
            assertThat(features.path(each).path("state").asString())
                    .as("%s: %s", each, features.path(each))
                    .isEqualTo(each.equals(feature) ? "on" : "off");
        }
    }

    private static void aPriceIsReadAsItWasWritten(Http http) {
        for (int priceCents = 500; priceCents < 510; priceCents++) {
            assertThat(http.get("/api/v2/products/5").status()).isEqualTo(200);
            var changed = http.put("/api/products/5/price", "{\"priceCents\": " + priceCents + "}");
            assertThat(changed.status()).isEqualTo(200);
            for (String path : List.of("/api/products/5", "/api/v2/products/5")) {
                JsonNode read = get(http, path, changed).json();
                assertThat(read.path("priceCents").asInt()).as(path).isEqualTo(priceCents);
            }
        }
    }

    private static void anOrderTakesFromTheStock(Http http) {
        int before = http.get("/api/products/6").json().path("stock").asInt();

        var order = http.post("/api/orders", "{\"customerId\": 1, \"items\": [{\"productId\": 6, \"quantity\": 2}]}");

        assertThat(order.status()).as(order.body()).isEqualTo(201);
        assertThat(get(http, "/api/products/6", order).json().path("stock").asInt())
                .isEqualTo(before - 2);
        assertThat(get(http, order.header("location"), order).json()).isEqualTo(order.json());
    }

    /** As the client would ask that got this answer before. */
    private static Http.Answer get(Http http, String path, Http.Answer before) {
        String cookie = before.header("set-cookie").split(";", 2)[0];
        return cookie.isEmpty() ? http.get(path) : http.get(path, "Cookie", cookie);
    }

    private static String[] settings(String feature) {
        Stack running = Objects.requireNonNull(stack, "not started");
        List<String> settings = new ArrayList<>(settings());
        settings.add("--weir." + feature + ".enabled=true");
        settings.addAll(Map.of(
                        "cache",
                                List.of("--weir.cache.url=redis://127.0.0.1:"
                                        + running.redis().port()),
                        "outbox", List.of(kafka()),
                        "publish", List.of(kafka()),
                        "target", List.of("--weir.target.rate=1k/s", "--weir.target.latency=20ms"),
                        "route",
                                List.of("--weir.route.replicas.one.url="
                                        + running.postgres().standbyJdbcUrls().getFirst()))
                .getOrDefault(feature, List.of()));
        return settings.toArray(String[]::new);
    }

    private static String kafka() {
        return "--spring.kafka.bootstrap-servers="
                + Objects.requireNonNull(stack, "not started").kafka().bootstrap();
    }

    private static List<String> settings() {
        String url = Objects.requireNonNull(provider, "not started").url();
        Postgres postgres = Objects.requireNonNull(stack, "not started").postgres();
        return List.of(
                "--server.port=0",
                "--spring.datasource.url=" + postgres.jdbcUrl(),
                "--spring.datasource.username=" + postgres.user(),
                "--spring.datasource.password=" + postgres.password(),
                "--store.seed.products=200",
                "--store.payments.url=" + url,
                "--store.messages.url=" + url);
    }
}
