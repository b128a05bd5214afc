package dev.weir.core.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.publish.NotDeliveredException.Reason;
import dev.weir.core.publish.Publication.Accepted;
import dev.weir.core.publish.Transport.Opening;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The publisher on fake time with a broker in memory. */
class BatchingPublisherTest {
    private static final PublisherConfig CONFIG = PublisherConfig.defaults()
            .withBuffer(10, 10_000)
            .withBatch(4, Duration.ofMillis(50))
            .withMaxEventBytes(1_000)
            .withTopicPatience(Duration.ofSeconds(2))
            .withRetries(3, Duration.ofMillis(100), Duration.ofSeconds(1));

    private final FakeTransport.Broker broker = new FakeTransport.Broker();
    private long nowNanos = 1_000;
    private BatchingPublisher publisher = BatchingPublisher.stepped(CONFIG, broker::create, () -> nowNanos);

    private Publication publish(String key, String text) {
        return publisher.publish(Event.of("orders", key, text.getBytes(StandardCharsets.UTF_8)));
    }

    private CompletableFuture<Receipt> accept(String key, String text) {
        return ((Accepted) publish(key, text)).receipt();
    }

    private void put(String key, String text) {
        assertThat(publish(key, text)).isInstanceOf(Accepted.class);
    }

    private void pass(long millis) {
        nowNanos += TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private void rounds(int count) {
        for (int i = 0; i < count; i++) {
            publisher.round();
        }
    }

    private List<String> handed() {
        return broker.current().handed.stream().map(FakeTransport.Handed::text).toList();
    }

    private static Reason reasonOf(CompletableFuture<Receipt> receipt) {
        assertThat(receipt).isCompletedExceptionally();
        return ((NotDeliveredException) receipt.exceptionNow()).reason();
    }

    @Test
    void waitsForABatchToFill() {
        put("a", "1");
        put("a", "2");
        put("a", "3");
        rounds(3);
        assertThat(handed()).isEmpty();

        put("b", "4");
        rounds(1);
        assertThat(handed()).containsExactly("1", "2", "3", "4");
    }

    @Test
    void handsOverWhatHasLingered() {
        put("a", "1");
        pass(49);
        rounds(1);
        assertThat(handed()).isEmpty();
        pass(1);
        rounds(1);
        assertThat(handed()).containsExactly("1");
    }

    @Test
    void saysSoWhenTheBufferIsFullAndTakesAgainAfterAnAcknowledgement() {
        for (int i = 0; i < 10; i++) {
            put("a", "e" + i);
        }
        assertThat(publisher.pressure()).isEqualTo(1.0);
        assertThat(publish("a", "more")).isInstanceOf(Publication.BufferFull.class);
        assertThatThrownBy(() -> publisher.publishOrThrow(Event.unkeyed("orders", new byte[1])))
                .isInstanceOf(PublicationRefusedException.class)
                .hasMessageContaining("10 of 10 events");
        assertThat(publisher.offer(Event.unkeyed("orders", new byte[1]))).isFalse();

        rounds(2);
        assertThat(publish("a", "more")).as("handing over frees nothing").isInstanceOf(Publication.BufferFull.class);
        broker.current().acknowledge(1);
        assertThat(publish("a", "more")).isInstanceOf(Accepted.class);
        assertThat(publisher.stats().refusedFull()).isEqualTo(4);
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void waitsForRoomWhereTheCallerWants() throws Exception {
        for (int i = 0; i < 10; i++) {
            put("a", "e" + i);
        }
        Event event = Event.unkeyed("orders", new byte[1]);
        assertThat(publisher.publish(event, Duration.ofMillis(1))).isInstanceOf(Publication.BufferFull.class);
        rounds(4);
        CompletableFuture<Publication> waiting = CompletableFuture.supplyAsync(() -> {
            try {
                return publisher.publish(event, Duration.ofSeconds(50));
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        });
        while (publisher.stats().refusedFull() < 3) {
            Thread.onSpinWait();
        }
        broker.current().acknowledge(4);
        assertThat(waiting.get()).isInstanceOf(Accepted.class);
    }

    @Test
    void boundsBytesToo() {
        publisher = BatchingPublisher.stepped(CONFIG.withBuffer(10, 1_100), broker::create, () -> nowNanos);
        assertThat(publish("a", "x".repeat(900))).isInstanceOf(Accepted.class);
        assertThat(publish("a", "x".repeat(200))).isInstanceOf(Publication.BufferFull.class);
    }

    @Test
    void refusesWhatIsTooLargeOrCannotBeWritten() {
        assertThat(publish("a", "x".repeat(1_001))).isInstanceOf(Publication.Oversized.class);
        Publication unwritten = publisher.publish("orders", "a", "payload", payload -> {
            throw new IllegalArgumentException("a cycle");
        });
        assertThat(unwritten)
                .isInstanceOfSatisfying(
                        Publication.Unserialisable.class,
                        refused -> assertThat(refused.sentence()).contains("a cycle"));
        assertThat(publisher.stats().refusedOversized()).isOne();
        assertThat(publisher.stats().refusedUnserialisable()).isOne();
        assertThat(publisher.stats().waiting()).isZero();
    }

    @Test
    @SuppressWarnings("NullAway") // What a caller without its checks does.
    void whatCannotBeAnEventIsNamedAtTheCall() throws Exception {
        assertThatThrownBy(() -> publisher.publish(null)).hasMessageContaining("There is no event");
        assertThat(publisher.publish(Event.unkeyed("no topic of Kafka's", new byte[1])))
                .isInstanceOfSatisfying(
                        Publication.TopicRefused.class,
                        refused -> assertThat(refused.sentence()).contains("1 to 249 letters"));
        assertThat(publisher.publish("orders", "k", "x", text -> null))
                .isInstanceOfSatisfying(
                        Publication.Unserialisable.class,
                        refused -> assertThat(refused.sentence()).contains("the encoder answered null"));
        Duration forEver = Duration.ofSeconds(Long.MAX_VALUE);
        assertThat(publisher.publish(Event.unkeyed("orders", new byte[1]), forEver))
                .isInstanceOf(Accepted.class);
        assertThat(publisher.stats().accepted()).isOne();
    }

    @Test
    void takesEventsWithoutAKey() {
        assertThat(publisher.offer(Event.unkeyed("orders", new byte[1]))).isTrue();
        pass(50);
        rounds(2);
        assertThat(broker.current().handed.getFirst().event().key()).isNull();
    }

    @Test
    void givesEachEventAnIdAndKeepsAGivenOne() {
        UUID given = new UUID(1, 2);
        publisher.offer(Event.unkeyed("orders", new byte[1]).withId(given));
        publisher.offer(Event.unkeyed("orders", new byte[1]));
        publisher.offer(Event.unkeyed("orders", new byte[1]));
        pass(50);
        rounds(2);
        List<UUID> ids =
                broker.current().handed.stream().map(each -> each.event().id()).toList();
        assertThat(ids).startsWith(given).doesNotContainNull().doesNotHaveDuplicates();
        assertThat(Event.idFromBytes(Event.idToBytes(given))).isEqualTo(given);
    }

    @Test
    void sendsAFailedBatchAgainAheadOfWhatCameLater() {
        for (int i = 0; i < 6; i++) {
            put("a", "" + i);
        }
        rounds(2);
        broker.current().acknowledge(1);
        broker.current().fail(new IllegalStateException("leader lost"), false);
        put("a", "6");
        rounds(1);
        assertThat(broker.transports).as("a pause comes first").hasSize(1);
        pass(200);
        rounds(3);
        pass(50);
        rounds(1);
        broker.current().acknowledgeAll();
        assertThat(broker.log).containsExactly("0", "1", "2", "3", "4", "5", "6");
        assertThat(publisher.stats().breaks()).isOne();
        assertThat(publisher.stats().resent()).isEqualTo(3);
    }

    @Test
    void waitsForTheLastDeliveryBeforeItSendsAgain() {
        for (int i = 0; i < 4; i++) {
            put("a", "" + i);
        }
        rounds(2);
        FakeTransport first = broker.current();
        first.handed.removeFirst().delivery().returned(new IllegalStateException("lost"), false);
        pass(5_000);
        rounds(5);
        assertThat(broker.transports).hasSize(1);
        first.acknowledge(1);
        first.abort();
        rounds(1);
        pass(5_000);
        rounds(3);
        broker.current().acknowledgeAll();
        assertThat(broker.log).containsExactly("1", "0", "2", "3");
    }

    @Test
    void anEventRefusedForGoodHoldsNothingUp() {
        CompletableFuture<Receipt> bad = accept("a", "bad");
        put("a", "good");
        pass(50);
        rounds(2);
        broker.current().refuse(0, new IllegalArgumentException("too large for the topic"));
        broker.current().acknowledgeAll();
        assertThat(reasonOf(bad)).isEqualTo(Reason.REFUSED);
        assertThat(broker.log).containsExactly("good");
        assertThat(publisher.stats().inFlight()).isZero();
        assertThat(publisher.pressure()).isZero();
    }

    @Test
    void anEventThatBreaksItsTransportTooOftenIsRefused() {
        CompletableFuture<Receipt> poison = accept("a", "poison");
        CompletableFuture<Receipt> next = accept("a", "next");
        for (int i = 0; i < 3; i++) {
            pass(5_000);
            rounds(1);
            pass(5_000);
            rounds(3);
            broker.current().fail(new IllegalStateException("unknown server error"), true);
        }
        pass(5_000);
        rounds(4);
        pass(5_000);
        rounds(4);
        broker.current().acknowledgeAll();
        assertThat(reasonOf(poison)).isEqualTo(Reason.REFUSED);
        assertThat(next).isCompleted();
    }

    @Test
    void aTopicThatIsMissingHoldsNoOtherUpAndIsRefusedAfterAWhile() {
        broker.openings.put("mispelt", new Opening.Absent("the broker does not know it"));
        CompletableFuture<Receipt> lost =
                publisher.publishOrThrow(Event.of("mispelt", "a", "x".getBytes(StandardCharsets.UTF_8)));
        put("a", "1");
        pass(50);
        rounds(2);
        assertThat(handed()).containsExactly("1");
        assertThat(publisher.stats().topicsOnHold()).isOne();

        for (int i = 0; i < 10 && !lost.isDone(); i++) {
            pass(1_000);
            rounds(1);
        }
        assertThat(reasonOf(lost)).isEqualTo(Reason.TOPIC);
        assertThat(publisher.publish(Event.of("mispelt", "a", new byte[1])))
                .isInstanceOf(Publication.TopicRefused.class);

        broker.openings.remove("mispelt");
        pass(1_000);
        rounds(1);
        assertThat(publisher.offer(Event.of("mispelt", "a", new byte[1]))).isTrue();
    }

    @Test
    void aMissingTopicTakesHalfOfTheBufferAtMost() {
        broker.openings.put("mispelt", new Opening.Absent("the broker does not know it"));
        publisher.offer(Event.unkeyed("mispelt", new byte[1]));
        rounds(1);
        int taken = 1;
        while (publisher.offer(Event.unkeyed("mispelt", new byte[1]))) {
            taken++;
        }
        assertThat(taken).isEqualTo(5);
        assertThat(publish("a", "1")).isInstanceOf(Accepted.class);
    }

    @Test
    void aBrokerThatDoesNotAnswerFillsTheBufferAndIsNamed() {
        broker.openings.put("orders", new Opening.Unreachable("nobody listens at 127.0.0.1:1"));
        CompletableFuture<Receipt> first = accept("a", "0");
        rounds(1);
        for (int i = 1; i < 10; i++) {
            put("a", "" + i);
        }
        assertThat(publish("a", "more"))
                .isInstanceOfSatisfying(
                        Publication.BufferFull.class,
                        full -> assertThat(full.sentence()).contains("nobody listens at 127.0.0.1:1"));
        pass(120_000);
        rounds(1);
        assertThat(reasonOf(first)).isEqualTo(Reason.GIVEN_UP);
        assertThat(publisher.stats().waiting()).isZero();
        assertThat(publisher.pressure()).isZero();
    }

    @Test
    void whatStandsInTheWayIsTheBreakAndNotWhatTheEndedClientAnswersAfterIt() {
        CompletableFuture<Opening> late = new CompletableFuture<>();
        broker.lateOpenings.put("views", late);
        put("a", "0");
        assertThat(publisher.offer(Event.unkeyed("views", new byte[1]))).isTrue();
        pass(50);
        rounds(2);
        assertThat(handed()).containsExactly("0");
        broker.current().fail(new IllegalStateException("Producer is closed forcefully."), false);
        late.complete(new Opening.Unreachable("Requested metadata update after close"));
        for (int i = 1; i < 9; i++) {
            put("a", "" + i);
        }
        assertThat(publish("a", "more"))
                .isInstanceOfSatisfying(
                        Publication.BufferFull.class,
                        full -> assertThat(full.sentence())
                                .contains("given up: Producer is closed forcefully. ")
                                .doesNotContain("metadata"));
    }

    @Test
    void keepsItsOrderWhenTheTransportHasNoRoom() {
        put("a", "0");
        put("a", "1");
        publisher.offer(Event.of("other", "a", "x".getBytes(StandardCharsets.UTF_8)));
        broker.noRoomFor.add("orders");
        pass(50);
        rounds(2);
        assertThat(handed()).containsExactly("x");
        broker.noRoomFor.clear();
        put("a", "2");
        pass(100);
        rounds(3);
        assertThat(handed()).containsExactly("x", "0", "1", "2");
    }

    @Test
    void aTransportThatCannotBeMadeIsTriedAgain() {
        put("a", "0");
        pass(50);
        rounds(2);
        broker.failingCreations = 2;
        broker.current().fail(new IllegalStateException("lost"), false);
        for (int i = 0; i < 6; i++) {
            pass(1_000);
            rounds(1);
        }
        broker.current().acknowledgeAll();
        assertThat(broker.log).containsExactly("0");
    }

    @Test
    void closingReportsWhatIsLeftInItsOrder() {
        for (int i = 0; i < 6; i++) {
            put("a", "" + i);
        }
        rounds(2);
        broker.current().acknowledge(1);
        CompletableFuture<Receipt> last = accept("a", "6");
        List<Event> left = publisher.close(Duration.ZERO);
        assertThat(left.stream().map(FakeTransport::text)).containsExactly("1", "2", "3", "4", "5", "6");
        assertThat(reasonOf(last)).isEqualTo(Reason.CLOSED);
        assertThat(publish("a", "late")).isInstanceOf(Publication.Closed.class);
        assertThat(publisher.close(Duration.ZERO)).isEmpty();
        assertThat(publisher.stats().left()).isEqualTo(6);
    }

    /** Against a plain model: whatever fails, each key's first deliveries are in order and nothing is lost. */
    @Test
    void keepsTheOrderPerKeyWhateverFails() {
        for (int seed = 0; seed < 300; seed++) {
            new RandomRun(seed).run();
        }
    }

    private static final class RandomRun {
        private final Random random;
        private final int seed;
        private final FakeTransport.Broker broker = new FakeTransport.Broker();
        private long nowNanos;
        private final BatchingPublisher publisher;
        private final Map<String, Integer> next = new HashMap<>();
        private int accepted;

        RandomRun(int seed) {
            this.seed = seed;
            this.random = new Random(seed);
            this.publisher = BatchingPublisher.stepped(CONFIG, broker::create, () -> nowNanos);
        }

        void run() {
            for (int i = 0; i < 200; i++) {
                step();
            }
            broker.noRoomFor.clear();
            for (int i = 0; i < 100 && publisher.stats().acknowledged() < accepted; i++) {
                nowNanos += TimeUnit.MILLISECONDS.toNanos(1_100);
                publisher.round();
                broker.current().acknowledgeAll();
            }
            assertThat(publisher.stats().acknowledged()).as("seed %d", seed).isEqualTo(accepted);
            inOrder();
        }

        private void step() {
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> publish();
                case 3 -> nowNanos += TimeUnit.MILLISECONDS.toNanos(random.nextInt(120));
                case 4, 5 -> publisher.round();
                case 6 -> acknowledgeSome();
                default -> disturb();
            }
        }

        private void publish() {
            String key = "k" + random.nextInt(3);
            String topic = "t" + random.nextInt(2);
            int number = next.merge(topic + key, 1, Integer::sum);
            String text = topic + key + ":" + number;
            if (publisher.offer(Event.of(topic, key, text.getBytes(StandardCharsets.UTF_8)))) {
                accepted++;
            } else {
                next.merge(topic + key, -1, Integer::sum);
            }
        }

        private void acknowledgeSome() {
            FakeTransport current = broker.current();
            current.acknowledge(random.nextInt(current.handed.size() + 1));
        }

        private void disturb() {
            FakeTransport current = broker.current();
            switch (random.nextInt(4)) {
                case 0 -> broker.noRoomFor.add("t" + random.nextInt(2));
                case 1 -> broker.noRoomFor.clear();
                case 2 -> broker.failingCreations = random.nextInt(2);
                default -> {
                    if (!current.handed.isEmpty()) {
                        current.write(random.nextInt(current.handed.size()));
                        current.fail(new IllegalStateException("lost"), false);
                    }
                }
            }
        }

        private void inOrder() {
            Map<String, List<Integer>> seen = new HashMap<>();
            for (String text : broker.log) {
                int colon = text.indexOf(':');
                seen.computeIfAbsent(text.substring(0, colon), key -> new ArrayList<>())
                        .add(Integer.parseInt(text.substring(colon + 1)));
            }
            seen.forEach((key, numbers) -> assertThat(numbers.stream().distinct())
                    .as("seed %d, key %s", seed, key)
                    .isSorted());
        }
    }
}
