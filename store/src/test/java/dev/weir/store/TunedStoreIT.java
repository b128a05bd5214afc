package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.stack.Postgres;
import dev.weir.stack.Stack;
import dev.weir.stack.StackConfig;
import dev.weir.stack.StackProgress;
import dev.weir.store.catalog.wire.ProductMessage;
import dev.weir.store.provider.ProviderServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;

/** The tuned form on real servers: every feature is on, and what a client sees is what the stock form shows. */
class TunedStoreIT {

    private static final Pattern METRIC =
            Pattern.compile("\\b(?:weir|tomcat|hikaricp|http_server|process|system)_\\w+\\b");

    private static @Nullable Stack stack;
    private static @Nullable ProviderServer provider;
    private static @Nullable ConfigurableApplicationContext context;

    @BeforeAll
    static void start() throws IOException {
        stack = Stack.start(StackConfig.defaults().withStandbys(1).withKafka(true), StackProgress.silent());
        provider = ProviderServer.start(0);
        Postgres postgres = stack.postgres();
        context = SpringApplication.run(
                StoreApplication.class,
                "--spring.profiles.active=tuned",
                "--server.port=0",
                "--spring.datasource.url=" + postgres.jdbcUrl(),
                "--spring.datasource.username=" + postgres.user(),
                "--spring.datasource.password=" + postgres.password(),
                "--weir.cache.url=redis://127.0.0.1:" + stack.redis().port(),
                "--weir.route.replicas.one.url=" + postgres.standbyJdbcUrls().getFirst(),
                "--spring.kafka.bootstrap-servers=" + stack.kafka().bootstrap(),
                "--weir.shed.enabled=true",
                "--weir.watch.enabled=true",
                "--store.seed.products=200",
                "--store.payments.url=" + provider.url(),
                "--store.messages.url=" + provider.url());
    }

    @AfterAll
    static void stop() {
        if (context != null) {
            context.close();
        }
        if (provider != null) {
            provider.close();
        }
        if (stack != null) {
            stack.close();
        }
    }

    @Test
    void everyFeatureIsOn() {
        JsonNode features = http().get("/actuator/weir").json().path("features");

        for (String feature :
                new String[] {"cache", "defer", "express", "outbox", "pool", "route", "shed", "threads", "watch"}) {
            assertThat(features.path(feature).path("state").asString())
                    .as("%s: %s", feature, features.path(feature))
                    .isEqualTo("on");
        }
    }

    /** What alerts and the dashboard ask Prometheus for; the store has no spool. */
    @Test
    void everyMetricOfTheAlertsIsThere() {
        // Requests and caches have meters once there were any.
        assertThat(http().get("/api/products/7").status()).isEqualTo(200);
        Until.isTrue(() -> http().get("/actuator/prometheus").body().contains("http_server_requests_seconds_count"));
        String scraped = http().get("/actuator/prometheus").body();
        Path folder = Path.of("..", "docs", "monitoring");
        List<String> named = Stream.of("weir-rules.yml", "weir-dashboard.json")
                .flatMap(file -> METRIC.matcher(read(folder.resolve(file))).results())
                .map(MatchResult::group)
                .distinct()
                .filter(name -> !name.equals("weir_publish_spool_parked"))
                .toList();

        assertThat(named)
                .hasSizeGreaterThan(25)
                .allSatisfy(name -> assertThat(scraped).containsPattern("(?m)^" + name + "[{ ]"));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void readsReachTheReplica() {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        String replica = "";
        while (!replica.matches(".* [1-9]\\d* reads") && System.nanoTime() < deadline) {
            assertThat(http().get("/api/products?query=desk").status()).isEqualTo(200);
            replica = http().get("/actuator/weir")
                    .json()
                    .path("features")
                    .path("route")
                    .path("settings")
                    .path("one")
                    .asString();
        }
        assertThat(replica).matches(".* [1-9]\\d* reads");
    }

    @Test
    void aReaderWhoChangedAPriceSeesItAtOnce() {
        for (int priceCents = 1_000; priceCents < 1_020; priceCents++) {
            var changed = http().put("/api/products/7/price", "{\"priceCents\": " + priceCents + "}");
            assertThat(changed.status()).isEqualTo(200);

            JsonNode read =
                    http().get("/api/products/7", "Cookie", session(changed)).json();

            assertThat(read.path("priceCents").asInt()).isEqualTo(priceCents);
        }
    }

    @Test
    void aPriceChangeIsSeenByEveryReaderAtOnce() throws IOException {
        for (int priceCents = 2_000; priceCents < 2_020; priceCents++) {
            assertThat(http().get("/api/v2/products/8").status()).isEqualTo(200);
            http().put("/api/products/8/price", "{\"priceCents\": " + priceCents + "}");

            assertThat(priceInJson("/api/products/8")).isEqualTo(priceCents);
            assertThat(priceInJson("/api/v2/products/8")).isEqualTo(priceCents);
            var protobuf = http().getBytes("/api/v2/products/8", "Accept", "application/x-protobuf");
            assertThat(ProductMessage.parseFrom(protobuf.body()).getPriceCents())
                    .isEqualTo(priceCents);
        }
    }

    @Test
    void aClientThatHasTheLatestIsToldSoUntilThePriceChanges() {
        String tag = http().get("/api/v2/products/12").header("etag");
        assertThat(tag).isNotEmpty();

        assertThat(http().get("/api/v2/products/12", "If-None-Match", tag).status())
                .isEqualTo(304);
        http().put("/api/products/12/price", "{\"priceCents\": 77}");
        assertThat(http().get("/api/v2/products/12", "If-None-Match", tag).status())
                .isEqualTo(200);
    }

    private static int priceInJson(String path) {
        return http().get(path).json().path("priceCents").asInt();
    }

    @Test
    void anOrderTakesFromTheStockThatTheNextReadShows() {
        int before = http().get("/api/products/9").json().path("stock").asInt();

        var order = http().post("/api/orders", "{\"customerId\": 1, \"items\": [{\"productId\": 9, \"quantity\": 2}]}");

        assertThat(order.status()).as(order.body()).isEqualTo(201);
        int after = http().get("/api/products/9", "Cookie", session(order))
                .json()
                .path("stock")
                .asInt();
        assertThat(after).isEqualTo(before - 2);
    }

    @Test
    void anOrderReachesTheTotalsAndTheViewOfItsCustomerSoon() {
        var order =
                http().post("/api/orders", "{\"customerId\": 41, \"items\": [{\"productId\": 10, \"quantity\": 2}]}");

        assertThat(order.status()).as(order.body()).isEqualTo(201);
        String day = order.json().path("createdAt").asString().substring(0, 10);
        Until.isTrue(
                () -> http().get("/api/totals/" + day).json().path("orders").asInt() > 0);
        Until.isTrue(() -> http().get("/api/customers/41/orders").json().size() == 1);
        JsonNode viewed = http().get("/api/customers/41/orders").json().path(0);
        assertThat(viewed.path("orderId")).isEqualTo(order.json().path("id"));
        assertThat(viewed.path("status").asString()).isEqualTo("PAID");
    }

    @Test
    void aProductIsTheSameInBothVersions() {
        JsonNode first = http().get("/api/products/11").json();
        JsonNode second = http().get("/api/v2/products/11").json();

        assertThat(second.path("description")).isEqualTo(first.path("description"));
        assertThat(second.path("priceCents")).isEqualTo(first.path("priceCents"));
        assertThat(http().get("/api/products/999").problem()).isEqualTo("product-not-found");
    }

    /** What the client would send back. */
    private static String session(Http.Answer answer) {
        return answer.header("set-cookie").split(";", 2)[0];
    }

    private static Http http() {
        var environment = Objects.requireNonNull(context, "not started").getEnvironment();
        return new Http(Objects.requireNonNull(environment.getProperty("local.server.port", Integer.class)));
    }
}
