package dev.weir.store.orderview;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.stack.Postgres;
import dev.weir.stack.Stack;
import dev.weir.stack.StackConfig;
import dev.weir.stack.StackProgress;
import dev.weir.store.Http;
import dev.weir.store.StoreApplication;
import dev.weir.store.Until;
import dev.weir.store.orderevents.OrderEvent;
import dev.weir.store.provider.ProviderServer;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;

/** The read model of a stock store with Kafka: what it keeps, leaves out and notices. */
class OrderViewIT {

    private static @Nullable Stack stack;
    private static @Nullable ProviderServer provider;
    private static @Nullable ConfigurableApplicationContext context;

    private final UUID order = UUID.randomUUID();

    @BeforeAll
    static void start() throws IOException {
        stack = Stack.start(
                StackConfig.defaults().withStandbys(0).withRedis(false).withKafka(true), StackProgress.silent());
        provider = ProviderServer.start(0);
        provider.configure("{\"payments\": {\"latencyMillis\": 0}}");
        Postgres postgres = stack.postgres();
        context = SpringApplication.run(
                StoreApplication.class,
                "--server.port=0",
                "--spring.datasource.url=" + postgres.jdbcUrl(),
                "--spring.datasource.username=" + postgres.user(),
                "--spring.datasource.password=" + postgres.password(),
                "--spring.kafka.bootstrap-servers=" + stack.kafka().bootstrap(),
                "--store.seed.products=200",
                "--store.payments.url=" + provider.url());
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
    void anOrderOfTheStockFormIsInTheView() {
        JsonNode placed = http().post(
                        "/api/orders", "{\"customerId\": 31, \"items\": [{\"productId\": 6, \"quantity\": 2}]}")
                .json();
        String id = placed.path("id").asString();

        Until.isTrue(() -> http().get("/api/orders/" + id + "/events").status() == 200);
        JsonNode event = http().get("/api/orders/" + id + "/events").json().path(0);
        assertThat(event.path("status").asString()).isEqualTo("PAID");
        assertThat(event.path("sequence").asInt()).isEqualTo(1);
        JsonNode viewed = http().get("/api/customers/31/orders").json().path(0);
        assertThat(viewed.path("orderId").asString()).isEqualTo(id);
        assertThat(viewed.path("totalCents")).isEqualTo(placed.path("totalCents"));
    }

    @Test
    void repetitionsAreLeftOutAndGapsAreCountedAndTheLastEventStands() throws Exception {
        double duplicates = metric("store.order.view.duplicate");
        double missing = metric("store.order.view.missing");
        double unreadable = metric("store.order.view.unreadable");

        send(event(1, "UNCONFIRMED"));
        send(event(1, "UNCONFIRMED"));
        send("no event");
        send(event(4, "PAID"));
        send(event(2, "CANCELLED"));

        Until.isTrue(() -> metric("store.order.view.duplicate") == duplicates + 2);
        assertThat(metric("store.order.view.missing")).isEqualTo(missing + 2);
        assertThat(metric("store.order.view.unreadable")).isEqualTo(unreadable + 1);
        assertThat(http().get("/api/orders/" + order + "/events").json().size()).isEqualTo(2);
        assertThat(http().get("/api/customers/77/orders")
                        .json()
                        .path(0)
                        .path("status")
                        .asString())
                .isEqualTo("PAID");
    }

    @Test
    void whatHasNotArrivedIsNotFoundAndBadQuestionsAreRefused() {
        assertThat(http().get("/api/orders/" + order + "/events").problem()).isEqualTo("order-not-found");
        assertThat(http().get("/api/customers/0/orders").problem()).isEqualTo("validation-failed");
        assertThat(http().get("/api/customers/1/orders?size=101").problem()).isEqualTo("validation-failed");
        assertThat(http().get("/api/totals/yesterday").problem()).isEqualTo("validation-failed");
        assertThat(http().get("/api/totals/1999-01-01").json().path("orders").asInt())
                .isZero();
    }

    private String event(int sequence, String status) {
        return """
                {"orderId": "%s", "sequence": %d, "status": "%s", "customerId": 77, "items": [], "totalCents": 5,
                 "at": "2026-01-01T00:00:00Z", "later": true}""".formatted(order, sequence, status);
    }

    private void send(String json) throws ExecutionException, InterruptedException {
        String servers = Objects.requireNonNull(stack, "not started").kafka().bootstrap();
        try (var producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", servers), new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>(OrderEvent.TOPIC, order.toString(), json))
                    .get();
        }
    }

    private static double metric(String name) {
        return http().get("/actuator/metrics/" + name)
                .json()
                .path("measurements")
                .path(0)
                .path("value")
                .asDouble();
    }

    private static Http http() {
        var environment = Objects.requireNonNull(context, "not started").getEnvironment();
        return new Http(Objects.requireNonNull(environment.getProperty("local.server.port", Integer.class)));
    }
}
