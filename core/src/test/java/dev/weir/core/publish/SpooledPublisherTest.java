package dev.weir.core.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.publish.spool.SpoolConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Events on disk first, and a broker in memory that is there or is not. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SpooledPublisherTest {
    private static final PublisherConfig CONFIG = PublisherConfig.defaults()
            .withBuffer(50, 1 << 20)
            .withBatch(20, Duration.ofMillis(1))
            .withMaxEventBytes(1_000);

    private final List<String> log = Collections.synchronizedList(new ArrayList<>());
    private volatile boolean brokerIsThere = true;
    private volatile int brokerTakes = Integer.MAX_VALUE;

    @TempDir
    Path folder;

    @TempDir
    Path copies;

    /** Acknowledges at once, refuses what says "poison". */
    private final class Broker implements Transport {
        private final List<Delivery> held = Collections.synchronizedList(new ArrayList<>());

        @Override
        public CompletableFuture<Opening> open(String topic) {
            return CompletableFuture.completedFuture(new Opening.Opened());
        }

        @Override
        public boolean send(Event event, Delivery delivery) {
            String text = new String(event.value(), StandardCharsets.UTF_8);
            if (!brokerIsThere || log.size() >= brokerTakes) {
                held.add(delivery);
            } else if (text.equals("poison")) {
                delivery.refused(new IllegalArgumentException("too large for the topic"));
            } else {
                log.add(text);
                delivery.acknowledged(0, log.size());
            }
            return true;
        }

        @Override
        public void abort() {
            held.forEach(delivery -> delivery.returned(new IllegalStateException("aborted"), false));
        }
    }

    private SpooledPublisher start() throws Exception {
        return SpooledPublisher.start(folder, SpoolConfig.defaults(), CONFIG, Broker::new);
    }

    private static Event event(String text) {
        return Event.of("orders", "k", text.getBytes(StandardCharsets.UTF_8));
    }

    private static void publish(SpooledPublisher publisher, int from, int to) {
        CompletableFuture.allOf(IntStream.range(from, to)
                        .mapToObj(i -> publisher.publish(event("" + i)))
                        .toArray(CompletableFuture[]::new))
                .join();
    }

    private static List<String> numbers(int to) {
        return IntStream.range(0, to).mapToObj(String::valueOf).toList();
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - end).as("deadline").isNegative();
            TimeUnit.MILLISECONDS.sleep(2);
        }
    }

    @Test
    void takesMoreThanTheBufferHoldsWhileTheBrokerIsAwayAndDeliversItAfterARestart() throws Exception {
        brokerIsThere = false;
        SpooledPublisher first = start();
        publish(first, 0, 300);
        assertThat(first.close(Duration.ZERO)).isEqualTo(300);
        assertThat(log).isEmpty();

        brokerIsThere = true;
        try (SpooledPublisher second = start()) {
            assertThat(second.recovery().records()).isEqualTo(300);
            publish(second, 300, 400);
            await(() -> second.waiting() == 0);
        }
        assertThat(log).isEqualTo(numbers(400));
        try (SpooledPublisher third = start()) {
            assertThat(third.recovery().records()).isZero();
        }
    }

    @Test
    void parksWhatCannotBeDeliveredAndGoesOn() throws Exception {
        try (SpooledPublisher publisher = start()) {
            publish(publisher, 0, 1);
            UUID poison = publisher.publish(event("poison")).join();
            publish(publisher, 1, 2);
            await(() -> publisher.waiting() == 0);
            assertThat(log).containsExactly("0", "1");
            assertThat(publisher.parked(10)).singleElement().satisfies(parked -> {
                assertThat(parked.event().id()).isEqualTo(poison);
                assertThat(parked.reason()).contains("too large for the topic");
            });
        }
        try (SpooledPublisher publisher = start()) {
            assertThat(publisher.parkedCount()).isOne();
            assertThat(publisher.replayParked()).isOne();
            await(() -> publisher.waiting() == 0 && publisher.parkedCount() == 1);
            assertThat(publisher.discardParked()).isOne();
            assertThat(publisher.parked(10)).isEmpty();
        }
    }

    @Test
    void refusesWhatNoTopicCanBeNamed() throws Exception {
        try (SpooledPublisher publisher = start()) {
            assertThatThrownBy(() ->
                            publisher.publish(Event.unkeyed("a b", new byte[1])).join())
                    .cause()
                    .isInstanceOf(PublicationRefusedException.class)
                    .hasMessageContaining("1 to 249 letters");
        }
    }

    @Test
    void refusesWhatIsTooLargeAndWhatComesAfterClosing() throws Exception {
        SpooledPublisher publisher = start();
        assertThatThrownBy(() -> publisher.publish(event("x".repeat(2_000))).join())
                .hasMessageContaining("max-event-bytes");
        publisher.close();
        assertThatThrownBy(() -> publisher.publish(event("x")).join()).hasMessageContaining("closed");
    }

    @Test
    void whatIsLeftAtAnOrderlyCloseComesBackFirst() throws Exception {
        brokerIsThere = false;
        for (int restart = 0; restart < 3; restart++) {
            try (LeftoverSpool leftovers = LeftoverSpool.open(folder, SpoolConfig.defaults())) {
                BatchingPublisher publisher = BatchingPublisher.start(CONFIG, Broker::new);
                assertThat(leftovers.restore(publisher, Duration.ofSeconds(5))).isEqualTo(restart * 10);
                for (int i = 0; i < 10; i++) {
                    assertThat(publisher.offer(event("" + (restart * 10 + i)))).isTrue();
                }
                leftovers.keep(publisher.close(Duration.ZERO));
                assertThat(leftovers.kept()).isEqualTo(restart * 10 + 10);
            }
        }
        brokerIsThere = true;
        try (LeftoverSpool leftovers = LeftoverSpool.open(folder, SpoolConfig.defaults())) {
            BatchingPublisher publisher = BatchingPublisher.start(CONFIG, Broker::new);
            assertThat(leftovers.restore(publisher, Duration.ofSeconds(5))).isEqualTo(30);
            leftovers.keep(publisher.close(Duration.ofSeconds(10)));
            assertThat(leftovers.kept()).isZero();
        }
        assertThat(log).isEqualTo(numbers(30));
    }

    @Test
    void whatWasBroughtBackAndAcknowledgedIsNotRepeatedAfterAKill() throws Exception {
        brokerIsThere = false;
        try (LeftoverSpool leftovers = LeftoverSpool.open(folder, SpoolConfig.defaults())) {
            BatchingPublisher publisher = BatchingPublisher.start(CONFIG, Broker::new);
            for (int i = 0; i < 30; i++) {
                assertThat(publisher.offer(event("" + i))).isTrue();
            }
            leftovers.keep(publisher.close(Duration.ZERO));
        }
        brokerIsThere = true;
        brokerTakes = 12;
        LeftoverSpool second = LeftoverSpool.open(folder, SpoolConfig.defaults());
        BatchingPublisher publisher = BatchingPublisher.start(CONFIG, Broker::new);
        assertThat(second.restore(publisher, Duration.ofSeconds(5))).isEqualTo(30);
        await(() -> keptAfterAKill() == 18);

        publisher.close(Duration.ZERO);
        second.close();
    }

    /** What a start after a kill at this moment would find: files that were written are there, forced or not. */
    private long keptAfterAKill() {
        try {
            Path copy = Files.createTempDirectory(copies, "killed");
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file :
                        files.filter(file -> !file.toString().endsWith(".new")).toList()) {
                    Files.copy(file, copy.resolve(file.getFileName()));
                }
            }
            try (LeftoverSpool killed = LeftoverSpool.open(copy, SpoolConfig.defaults())) {
                return killed.kept();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void writesAndReadsAllOfAnEvent() throws Exception {
        Event event = Event.of("t", (byte[]) null, new byte[] {1, 2})
                .withHeader("h", new byte[] {3})
                .withId(new UUID(4, 5));
        Event read = EventCodec.decode(ByteBuffer.wrap(EventCodec.encode(event)));
        assertThat(read.topic()).isEqualTo("t");
        assertThat(read.key()).isNull();
        assertThat(read.value()).containsExactly(1, 2);
        assertThat(read.headers().get("h")).containsExactly(3);
        assertThat(read.id()).isEqualTo(new UUID(4, 5));
    }
}
