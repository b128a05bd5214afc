package dev.weir.core.outbox;

import static dev.weir.core.publish.TestServers.await;
import static dev.weir.core.publish.TestServers.numbers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.weir.core.publish.BatchingPublisher;
import dev.weir.core.publish.Event;
import dev.weir.core.publish.KafkaTopics;
import dev.weir.core.publish.KafkaTransports;
import dev.weir.core.publish.NotDeliveredException;
import dev.weir.core.publish.NotDeliveredException.Reason;
import dev.weir.core.publish.Publication;
import dev.weir.core.publish.PublicationRefusedException;
import dev.weir.core.publish.PublisherConfig;
import dev.weir.core.publish.Receipt;
import dev.weir.core.publish.SpooledPublisher;
import dev.weir.core.publish.TestServers;
import dev.weir.core.publish.spool.SpoolConfig;
import dev.weir.stack.Stack;
import java.io.NotSerializableException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What callers and operators get wrong, on a broker that makes no topics by itself and knows rights: publisher, publisher with the spool,
 * and outbox each say so, lose nothing and are not held up.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BadInputIT {
    private static final PublisherConfig PUBLISHER = PublisherConfig.defaults()
            .withTopicPatience(Duration.ofMillis(500))
            .withRetries(3, Duration.ofMillis(50), Duration.ofMillis(300));
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private static Stack stack;
    private static KafkaTopics topics;
    private static HikariDataSource database;

    @TempDir
    Path folder;

    private OutboxConfig config;
    private Outbox outbox;
    private ParkedEvents parked;
    private String good;
    private String bad;

    @BeforeAll
    static void start() {
        stack = TestServers.start(settings -> settings.withKafkaSetting("auto.create.topics.enable", "false")
                .withKafkaSetting("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer")
                .withKafkaSetting("allow.everyone.if.no.acl.found", "true"));
        topics = new KafkaTopics(stack.kafka().bootstrap());
        database = TestServers.pool(stack);
    }

    @AfterAll
    static void stop() {
        database.close();
        stack.close();
    }

    @BeforeEach
    void begin() throws Exception {
        int number = NUMBER.incrementAndGet();
        good = "good-" + number;
        bad = "bad-" + number;
        config = OutboxIT.CONFIG.withTable("bad_input_" + number);
        outbox = new Outbox(config, CurrentTransaction.unknown(), PUBLISHER.maxEventBytes());
        parked = new ParkedEvents(config, database);
        topics.create(good, 1, Map.of());
        try (Connection connection = database.getConnection()) {
            OutboxSchema.create(connection, config);
        }
    }

    private static String here() {
        return stack.kafka().bootstrap();
    }

    private static BatchingPublisher publisher(String bootstrap) {
        return BatchingPublisher.start(PUBLISHER, transports(bootstrap));
    }

    private static KafkaTransports transports(String bootstrap) {
        return KafkaTransports.of(Map.of("bootstrap.servers", bootstrap), PUBLISHER);
    }

    private SpooledPublisher spooled(String bootstrap) throws Exception {
        return SpooledPublisher.start(folder, SpoolConfig.defaults(), PUBLISHER, transports(bootstrap));
    }

    private Relay relay(String bootstrap) {
        return Relay.start(config, outbox, database, new KafkaTarget(transports(bootstrap), 1_000_000));
    }

    private void commit(Event... events) throws Exception {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            outbox.add(connection, List.of(events));
            connection.commit();
        }
        outbox.committed();
    }

    private static Event event(String topic, int number) {
        return Event.of(topic, "k", String.valueOf(number).getBytes(StandardCharsets.UTF_8));
    }

    private static void assertDelivered(CompletableFuture<Receipt> receipt) throws Exception {
        assertThat(receipt.get(30, TimeUnit.SECONDS).offset()).isNotNegative();
    }

    private static void assertFails(CompletableFuture<Receipt> receipt, Reason reason, String sentence) {
        assertThatThrownBy(() -> receipt.get(30, TimeUnit.SECONDS))
                .cause()
                .hasMessageContaining(sentence)
                .isInstanceOfSatisfying(
                        NotDeliveredException.class,
                        failure -> assertThat(failure.reason()).isEqualTo(reason));
    }

    /** What the publisher says of a topic at the call, once it knows. */
    private static String refusal(BatchingPublisher publisher, String topic) throws Exception {
        await("a refusal", () -> publisher.publish(event(topic, -1)) instanceof Publication.TopicRefused);
        return publisher.publish(event(topic, -1)) instanceof Publication.Refused refused ? refused.sentence() : "";
    }

    private static void assertArrived(String topic, int count) {
        assertThat(topics.firstByKey(topic)).isEqualTo(Map.of("k", numbers(0, count)));
    }

    @Test
    void thePublisherRefusesATopicThatIsMissingUntilItIsThere() throws Exception {
        try (BatchingPublisher publisher = publisher(here())) {
            CompletableFuture<Receipt> early = publisher.publishOrThrow(event(bad, -1));
            assertDelivered(publisher.publishOrThrow(event(good, 0)));
            assertFails(early, Reason.TOPIC, "takes no events");
            assertThat(refusal(publisher, bad)).contains(bad, "does not know it", "Create it");
            assertDelivered(publisher.publishOrThrow(event(good, 1)));

            topics.create(bad, 1, Map.of());
            await("the topic", () -> publisher.offer(event(bad, 0)));
        }
        assertThat(topics.firstByKey(bad)).containsEntry("k", List.of("0"));
        assertArrived(good, 2);
    }

    @Test
    void theSpoolParksWhatIsForAMissingTopicAndReplaysIt() throws Exception {
        try (SpooledPublisher publisher = spooled(here())) {
            UUID id = publisher.publish(event(bad, 0)).join();
            publisher.publish(event(good, 0)).join();
            await("parking", () -> publisher.waiting() == 0);
            assertThat(publisher.parked(10)).singleElement().satisfies(one -> {
                assertThat(one.event().id()).isEqualTo(id);
                assertThat(one.reason()).contains(bad, "takes no events");
            });
            topics.create(bad, 1, Map.of());
            await("delivery", () -> {
                long again = publisher.parkedCount() > 0 ? publisher.replayParked() : 0;
                return again == 0 && publisher.waiting() == 0 && publisher.parkedCount() == 0;
            });
        }
        assertArrived(bad, 1);
        assertArrived(good, 1);
    }

    @Test
    void theOutboxParksWhatIsForAMissingTopicAndReplaysIt() throws Exception {
        try (Relay relay = relay(here())) {
            commit(event(bad, 0), event(good, 0), event(good, 1));
            await("parking", () -> relay.stats().parked() == 1 && relay.stats().delivered() == 2);
            assertThat(parked.list(10))
                    .singleElement()
                    .satisfies(one -> assertThat(one.reason()).contains("topic is not there"));
            topics.create(bad, 1, Map.of());
            assertThat(parked.replay(List.of(parked.list(1).getFirst().event().id())))
                    .isOne();
            await("delivery", () -> relay.stats().delivered() == 3);
        }
        assertArrived(bad, 1);
        assertArrived(good, 2);
    }

    private static void forbid(String topic, AclOperation... allowed) throws Exception {
        topics.create(topic, 1, Map.of());
        ResourcePattern pattern = new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL);
        List<AclBinding> acls = new ArrayList<>();
        acls.add(acl(pattern, AclOperation.WRITE, AclPermissionType.DENY));
        for (AclOperation operation : allowed) {
            acls.add(acl(pattern, operation, AclPermissionType.ALLOW));
        }
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", here()))) {
            admin.createAcls(acls).all().get();
        }
    }

    private static AclBinding acl(ResourcePattern pattern, AclOperation operation, AclPermissionType type) {
        return new AclBinding(pattern, new AccessControlEntry("User:*", "*", operation, type));
    }

    @Test
    void aTopicThatMayNotBeSeenIsRefused() throws Exception {
        forbid(bad);
        try (BatchingPublisher publisher = publisher(here())) {
            assertFails(publisher.publishOrThrow(event(bad, 0)), Reason.TOPIC, "Not authorized");
            assertThat(refusal(publisher, bad)).contains(bad, "Not authorized", "rights");
            assertDelivered(publisher.publishOrThrow(event(good, 0)));
        }
    }

    @Test
    void aTopicThatMayNotBeWrittenHoldsNothingUp() throws Exception {
        forbid(bad, AclOperation.DESCRIBE);
        try (BatchingPublisher publisher = publisher(here());
                SpooledPublisher spooled = spooled(here());
                Relay relay = relay(here())) {
            assertFails(publisher.publishOrThrow(event(bad, 0)), Reason.REFUSED, "Not authorized");
            assertDelivered(publisher.publishOrThrow(event(good, 0)));

            spooled.publish(event(bad, 0)).join();
            spooled.publish(event(good, 1)).join();
            await("the spool", () -> spooled.waiting() == 0);
            assertThat(spooled.parked(10))
                    .singleElement()
                    .satisfies(one -> assertThat(one.reason()).contains("Not authorized"));

            commit(event(bad, 0), event(good, 2));
            await(
                    "the outbox",
                    () -> relay.stats().parked() == 1 && relay.stats().delivered() == 1);
            assertThat(parked.list(10)).singleElement().satisfies(one -> {
                assertThat(one.reason()).contains("Not authorized");
                assertThat(one.attempts()).as("rights may be given meanwhile").isEqualTo(config.attempts());
            });
        }
        assertArrived(good, 3);
    }

    /** Nobody listens there, or a server that speaks another protocol. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aWrongPortIsNamedAndNothingIsLost(boolean nobody) throws Exception {
        String wrong =
                "127.0.0.1:" + (nobody ? freePort() : stack.postgres().primary().port());
        BatchingPublisher publisher = BatchingPublisher.start(PUBLISHER.withBuffer(10, 1 << 20), transports(wrong));
        for (int i = 0; i < 10; i++) {
            assertThat(publisher.offer(event(good, i))).isTrue();
        }
        await(
                "a sentence",
                () -> publisher.publish(event(good, 10)) instanceof Publication.BufferFull full
                        && full.sentence().contains("No broker answers"));
        assertThat(publisher.close(Duration.ZERO)).hasSize(10);

        try (SpooledPublisher spooled = spooled(wrong)) {
            for (int i = 0; i < 10; i++) {
                spooled.publish(event(good, i)).join();
            }
            assertThat(spooled.close(Duration.ZERO)).isEqualTo(10);
        }
        try (SpooledPublisher spooled = spooled(here())) {
            await("the spool", () -> spooled.waiting() == 0);
        }
        try (Relay relay = relay(wrong)) {
            commit(event(good, 10), event(good, 11));
            await("an attempt", () -> relay.stats().postponed() > 0);
        }
        try (Relay relay = relay(here())) {
            await("the outbox", () -> relay.stats().delivered() == 2);
        }
        assertArrived(good, 12);
        assertThat(parked.count()).isZero();
    }

    private static int freePort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @Test
    void anEventThatIsTooLargeIsRefusedAtTheCall() throws Exception {
        Event huge = Event.of(good, "k", new byte[1_000_000]);
        try (BatchingPublisher publisher = publisher(here());
                SpooledPublisher spooled = spooled(here());
                Connection connection = database.getConnection()) {
            assertThat(publisher.publish(huge))
                    .isInstanceOfSatisfying(
                            Publication.Oversized.class,
                            refused -> assertThat(refused.sentence()).contains("max-event-bytes"));
            assertThatThrownBy(() -> spooled.publish(huge).join())
                    .cause()
                    .isInstanceOf(PublicationRefusedException.class)
                    .hasMessageContaining("max-event-bytes");
            connection.setAutoCommit(false);
            assertThatThrownBy(() -> outbox.add(connection, List.of(event(good, 9), huge)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("max-event-bytes");
            outbox.add(connection, event(good, 0));
            connection.commit();
            try (Relay relay = relay(here())) {
                await("the rest", () -> relay.stats().delivered() == 1);
            }
            assertDelivered(publisher.publishOrThrow(event(good, 1)));
        }
        assertArrived(good, 2);
    }

    @Test
    void whatIsTooLargeForItsTopicIsParkedAtOnceAndTheRestArrives() throws Exception {
        topics.create(bad, 1, Map.of("max.message.bytes", "5000"));
        Event large = Event.of(bad, "k", new byte[20_000]);
        try (SpooledPublisher spooled = spooled(here());
                Relay relay = relay(here())) {
            spooled.publish(event(bad, 0)).join();
            spooled.publish(large).join();
            spooled.publish(event(bad, 1)).join();
            await("the spool", () -> spooled.waiting() == 0);
            assertThat(spooled.parkedCount()).isOne();

            commit(event(bad, 2), large, event(bad, 3));
            await(
                    "the outbox",
                    () -> relay.stats().parked() == 1 && relay.stats().delivered() == 2);
            assertThat(parked.list(10))
                    .singleElement()
                    .satisfies(one -> assertThat(one.attempts())
                            .as("another attempt would end the same way")
                            .isOne());
        }
        assertArrived(bad, 4);
    }

    @Test
    @SuppressWarnings("NullAway") // What a caller without its checks does.
    void aMissingKeyIsNamedAtTheCallAndAnEventWithoutOneArrives() throws Exception {
        String none = null;
        try (BatchingPublisher publisher = publisher(here());
                Relay relay = relay(here())) {
            assertThatThrownBy(() -> Event.of(good, none, new byte[1])).hasMessageContaining("Event.unkeyed");
            assertThatThrownBy(() -> publisher.publish(good, none, "x", text -> text.getBytes(StandardCharsets.UTF_8)))
                    .hasMessageContaining("Event.unkeyed");
            assertThatThrownBy(() -> Event.unkeyed(good, null)).hasMessageContaining("Use an empty array");
            assertDelivered(publisher.publishOrThrow(Event.unkeyed(good, new byte[1])));
            commit(Event.unkeyed(good, new byte[2]));
            await("delivery", () -> relay.stats().delivered() == 1);
        }
        assertThat(topics.read(good))
                .hasSize(2)
                .allSatisfy(read -> assertThat(read.key()).isNull());
    }

    @Test
    void aPayloadThatCannotBeWrittenIsAnOutcomeAndHoldsNothingUp() throws Exception {
        try (BatchingPublisher publisher = publisher(here())) {
            Publication publication = publisher.publish(good, "k", this, payload -> {
                throw new NotSerializableException(payload.getClass().getName());
            });
            assertThat(publication)
                    .isInstanceOfSatisfying(
                            Publication.Unserialisable.class,
                            refused -> assertThat(refused.sentence()).contains("BadInputIT"));
            assertThat(publisher.stats().accepted()).isZero();
            assertDelivered(publisher.publishOrThrow(event(good, 0)));
        }
        assertArrived(good, 1);
    }
}
