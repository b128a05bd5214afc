package dev.weir.store.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.time.NanoClock;
import dev.weir.store.Until;
import dev.weir.store.gateway.QueueView.Decision;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A sender that is stopped in the middle of its work, with its lock held. */
class OutlookTest {

    private static final UUID ID = NewMessage.newId(System.currentTimeMillis());

    private final CountDownLatch stopped = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final NanoClock clock = System::nanoTime;
    private final Lease lease = new Lease(Duration.ofMinutes(10), clock.nanoTime());
    private final RandomGenerator stopping = () -> {
        stopped.countDown();
        await(goOn);
        return 0;
    };
    private final Dispatcher dispatcher = new Dispatcher(
            (message, answer) ->
                    Thread.ofVirtual().start(() -> answer.accept(new ProviderAnswer.Trouble("it answered 500"))),
            endings -> Map.of(),
            new QueueView(clock, () -> 1_000, () -> Duration.ZERO),
            () -> {},
            new SendPlan(
                    1_000,
                    10,
                    new SendPlan.Retries(5, Duration.ofHours(1), Duration.ofHours(1)),
                    stopping,
                    clock.nanoTime()),
            lease,
            clock,
            InstantSource.system());
    private final QueueView view = new QueueView(
            clock,
            () -> dispatcher.outlook().perSecond(),
            () -> dispatcher.outlook().send());

    @AfterEach
    void close() {
        goOn.countDown();
        dispatcher.close();
    }

    @Test
    void whoHandsInAMessageDoesNotWaitForWhoSends() throws Exception {
        stopTheSender();

        Decision decision = CompletableFuture.supplyAsync(() -> view.admit("c", Duration.ofSeconds(60), 10))
                .get(30, TimeUnit.SECONDS);

        assertThat(decision).isInstanceOf(Decision.Admitted.class);
        assertThat(goOn.getCount()).as("the sender still holds its lock").isOne();
    }

    @Test
    void aMessageThatIsTriedAgainIsToldToEstimatesOnce() {
        stopTheSender();
        goOn.countDown();

        Until.isTrue(() -> dispatcher.stats().waiting() == 1);
        assertThat(dispatcher.takeDelays()).singleElement().satisfies(delay -> {
            assertThat(delay.id()).isEqualTo(ID);
            assertThat(delay.time()).isGreaterThanOrEqualTo(Duration.ofMinutes(30));
        });
        assertThat(dispatcher.takeDelays()).isEmpty();
    }

    private void stopTheSender() {
        lease.enter(false, clock.nanoTime());
        lease.confirmed(clock.nanoTime());
        dispatcher.start();
        dispatcher.take(List.of(new InHand.Arrived(0, 1, new Outgoing(ID, "c", "r", "x", 1))), Set.of(ID));
        await(stopped);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }
}
