package dev.weir.core.publish;

import static dev.weir.core.publish.TestServers.dealt;
import static dev.weir.core.publish.TestServers.numbers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.publish.NotDeliveredException.Reason;
import dev.weir.stack.Stack;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The publisher on a real broker that refuses, restarts and is not there. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KafkaPublisherIT {
    private static Stack stack;
    private static KafkaTopics topics;

    @BeforeAll
    static void start() {
        stack = TestServers.start();
        topics = new KafkaTopics(stack.kafka().bootstrap());
    }

    @AfterAll
    static void stop() {
        stack.close();
    }

    private static BatchingPublisher publisher(PublisherConfig config, Map<String, String> client) {
        Map<String, String> settings = new java.util.HashMap<>(client);
        settings.putIfAbsent("bootstrap.servers", stack.kafka().bootstrap());
        return BatchingPublisher.start(config, KafkaTransports.of(settings, config));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void keepsTheOrderPerKeyThroughARestartOfTheBroker() throws Exception {
        topics.create("restarted", 3, Map.of());
        List<CompletableFuture<Receipt>> receipts = new ArrayList<>();
        try (BatchingPublisher publisher =
                publisher(PublisherConfig.defaults(), Map.of("request.timeout.ms", "2000"))) {
            for (int i = 0; i < 6_000; i++) {
                if (i == 2_000) {
                    stack.kafka().server().kill();
                }
                if (i == 4_000) {
                    stack.kafka().server().start(Duration.ofSeconds(60));
                }
                receipts.add(publisher.publishOrThrow(Event.of("restarted", "key-" + i % 7, bytes("" + i))));
            }
            CompletableFuture.allOf(receipts.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
        }
        assertThat(topics.firstByKey("restarted")).isEqualTo(dealt(6_000, 7));
    }

    /** An event the topic refuses among others of its key in the same batch: they pass it, once, in order. */
    @Test
    void anEventTheTopicRefusesHoldsNothingUp() throws Exception {
        topics.create("narrow", 1, Map.of("max.message.bytes", "5000"));
        try (BatchingPublisher publisher = publisher(PublisherConfig.defaults(), Map.of())) {
            List<CompletableFuture<Receipt>> good = new ArrayList<>();
            CompletableFuture<Receipt> bad = new CompletableFuture<>();
            for (int i = 0; i < 50; i++) {
                if (i == 20) {
                    bad = publisher.publishOrThrow(Event.of("narrow", "k", new byte[20_000]));
                } else {
                    good.add(publisher.publishOrThrow(Event.of("narrow", "k", bytes("" + i))));
                }
            }
            CompletableFuture.allOf(good.toArray(CompletableFuture[]::new)).get(30, TimeUnit.SECONDS);
            CompletableFuture<Receipt> refused = bad;
            assertThatThrownBy(() -> refused.get(30, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOfSatisfying(
                            NotDeliveredException.class,
                            failure -> assertThat(failure.reason()).isEqualTo(Reason.REFUSED));
        }
        List<String> expected = new ArrayList<>(numbers(0, 50));
        expected.remove("20");
        assertThat(topics.firstByKey("narrow").get("k")).isEqualTo(expected);
    }

    @Test
    void aTopicNameThatIsInvalidIsRefusedAndOthersGoOn() throws Exception {
        try (BatchingPublisher publisher = publisher(PublisherConfig.defaults(), Map.of())) {
            assertThat(publisher.publish(Event.of("no such/topic", "k", bytes("x"))))
                    .isInstanceOf(Publication.TopicRefused.class);
            assertThatThrownBy(() -> publisher.publishOrThrow(Event.of("no such/topic", "k", bytes("x"))))
                    .hasMessageContaining("no such/topic takes no events");
            assertThat(publisher
                            .publishOrThrow(Event.unkeyed("made-on-demand", bytes("x")))
                            .get(30, TimeUnit.SECONDS))
                    .isNotNull();
        }
    }

    @Test
    void aBrokerThatIsNotThereFillsTheBufferWithoutHoldingACaller() throws Exception {
        int nobody;
        try (ServerSocket socket = new ServerSocket(0)) {
            nobody = socket.getLocalPort();
        }
        BatchingPublisher publisher = publisher(
                PublisherConfig.defaults().withBuffer(100, 1 << 20),
                Map.of("bootstrap.servers", "127.0.0.1:" + nobody));
        int taken = 0;
        while (publisher.offer(Event.of("any", "k", bytes("" + taken)))) {
            taken++;
        }
        assertThat(taken).isEqualTo(100);
        assertThat(publisher.pressure()).isEqualTo(1.0);
        List<Event> left = publisher.close(Duration.ofMillis(200));
        assertThat(left.stream().map(event -> new String(event.value(), StandardCharsets.UTF_8)))
                .containsExactlyElementsOf(numbers(0, 100));
    }

    @Test
    void closingDrains() throws Exception {
        topics.create("drained", 1, Map.of());
        BatchingPublisher publisher =
                publisher(PublisherConfig.defaults().withBatch(500, Duration.ofMinutes(1)), Map.of());
        for (int i = 0; i < 1_234; i++) {
            assertThat(publisher.offer(Event.of("drained", "k", bytes("" + i)))).isTrue();
        }
        assertThat(publisher.close(Duration.ofSeconds(30))).isEmpty();
        assertThat(topics.read("drained")).hasSize(1_234);
    }
}
