package dev.weir.store.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.time.NanoClock;
import dev.weir.store.Until;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The dispatcher with its threads, and a provider that answers when the test says so. */
class DispatcherTest {

    /** A call of the provider, answered once. */
    private static final class Call {

        final Outgoing message;
        private final Consumer<ProviderAnswer> told;
        private boolean answered;

        Call(Outgoing message, Consumer<ProviderAnswer> told) {
            this.message = message;
            this.told = told;
        }

        synchronized void answer(ProviderAnswer answer) {
            if (!answered) {
                answered = true;
                told.accept(answer);
            }
        }
    }

    private final List<Call> all = new CopyOnWriteArrayList<>();
    private final BlockingQueue<Call> calls = new LinkedBlockingQueue<>();
    private final List<MessageTable.Ending> written = new CopyOnWriteArrayList<>();
    private final AtomicLong jumpNanos = new AtomicLong();
    private final NanoClock clock = () -> System.nanoTime() + jumpNanos.get();
    private final Lease lease = new Lease(Duration.ofMinutes(10), clock.nanoTime());
    private final Dispatcher dispatcher = new Dispatcher(
            (message, answer) -> {
                var call = new Call(message, answer);
                all.add(call);
                calls.add(call);
            },
            endings -> {
                written.addAll(endings);
                return Map.of();
            },
            new QueueView(clock, () -> 1_000, () -> Duration.ZERO),
            () -> {},
            new SendPlan(
                    1_000,
                    10,
                    new SendPlan.Retries(1, Duration.ofMillis(1), Duration.ofMillis(1)),
                    new Random(1),
                    clock.nanoTime()),
            lease,
            clock,
            InstantSource.system());

    DispatcherTest() {
        lease.enter(false, clock.nanoTime());
        lease.confirmed(clock.nanoTime());
        dispatcher.start();
    }

    @AfterEach
    void close() {
        all.forEach(call -> call.answer(new ProviderAnswer.Taken("x")));
        dispatcher.close();
    }

    @Test
    void aForeignRecordDoesNotOvertakeTheMessagesBeforeIt() throws InterruptedException {
        dispatcher.take(List.of(record(0, 10, "r"), new InHand.Arrived(0, 11, null)), open(10));

        Call call = nextCall();

        assertThat(dispatcher.committable()).isEqualTo(Map.of(0, 10L));
        call.answer(new ProviderAnswer.Taken("x"));
        Until.isTrue(() -> dispatcher.committable().equals(Map.of(0, 12L)));
    }

    @Test
    void whatIsLostIsNeitherSentNorTriedAgainNorSaidToHaveFailed() throws InterruptedException {
        dispatcher.take(List.of(record(0, 1, "lost"), record(0, 2, "lost"), record(1, 3, "lost2")), open(1, 2, 3));
        Call first = nextCall();
        Call second = nextCall();

        dispatcher.forget(Set.of(0, 1));
        first.answer(new ProviderAnswer.Trouble("500"));
        second.answer(new ProviderAnswer.Refused("422"));
        dispatcher.take(List.of(record(2, 4, "kept")), open(4));

        assertThat(nextCall().message.to()).isEqualTo("kept");
        assertThat(written).isEmpty();
        assertThat(dispatcher.stats().waiting()).isZero();
    }

    @Test
    void whatTheProviderHasTakenIsWrittenDownWhosesoeverItIs() throws InterruptedException {
        dispatcher.take(List.of(record(0, 1, "r")), open(1));
        Call call = nextCall();
        dispatcher.fence(Set.of(0));

        call.answer(new ProviderAnswer.Taken("x"));
        dispatcher.awaitEnds(Set.of(0), Duration.ofSeconds(30));

        assertThat(written).hasSize(1);
        assertThat(dispatcher.committable()).isEqualTo(Map.of(0, 2L));
    }

    @Test
    void aProcessThatWasFrozenSendsNothingUntilKafkaSaysThatThePartitionsAreItsOwn() throws InterruptedException {
        jumpNanos.addAndGet(Duration.ofMinutes(10).toNanos());
        dispatcher.take(List.of(record(0, 1, "r")), open(1));

        assertThat(calls.poll(300, TimeUnit.MILLISECONDS)).isNull();

        lease.confirmed(clock.nanoTime());
        assertThat(nextCall().message.to()).isEqualTo("r");
    }

    private Call nextCall() throws InterruptedException {
        Call call = calls.poll(30, TimeUnit.SECONDS);
        if (call == null) {
            throw new IllegalStateException("nothing was sent");
        }
        return call;
    }

    private static InHand.Arrived record(int partition, long offset, String to) {
        return new InHand.Arrived(partition, offset, new Outgoing(new UUID(0, offset), "c", to, "text", offset));
    }

    private static Set<UUID> open(long... offsets) {
        Set<UUID> ids = new HashSet<>();
        for (long offset : offsets) {
            ids.add(new UUID(0, offset));
        }
        return ids;
    }
}
