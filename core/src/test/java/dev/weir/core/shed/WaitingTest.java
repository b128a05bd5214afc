package dev.weir.core.shed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.time.NanoClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class WaitingTest {

    private static final Duration LONG = Duration.ofSeconds(25);

    private final FakeClock clock = new FakeClock();
    private final List<String> served = new ArrayList<>();

    private static Admission real(int limit, int length, Duration maxWait) {
        return new Admission(
                ShedConfig.fixed(limit).withQueue(new QueueConfig(length, maxWait)), NanoClock.system(), 1);
    }

    private static void awaitWaiting(Admission admission, int count) {
        while (admission.waiting() != count) {
            Thread.onSpinWait();
        }
    }

    @Test
    void whoWaitsGetsThePlaceThatIsGivenBack() throws InterruptedException {
        Admission admission = real(1, 10, LONG);
        var held = (Permit) admission.tryAcquire(new Caller(Priority.CRITICAL, 1));
        BlockingQueue<Outcome> outcomes = new LinkedBlockingQueue<>();
        Thread waiting =
                Thread.startVirtualThread(() -> outcomes.add(admission.acquire(new Caller(Priority.NORMAL, 2))));
        awaitWaiting(admission, 1);
        held.close();
        assertThat(outcomes.take()).isInstanceOf(Permit.class);
        assertThat(admission.inFlight()).isEqualTo(1);
        waiting.join();
    }

    @Test
    void aThousandVirtualThreadsShareTwoPlaces() throws InterruptedException {
        Admission admission = real(2, 1_000, LONG);
        BlockingQueue<Outcome> outcomes = new LinkedBlockingQueue<>();
        for (int i = 0; i < 1_000; i++) {
            int key = i;
            Thread.startVirtualThread(() -> {
                Outcome outcome = admission.acquire(new Caller(Priority.NORMAL, key));
                LockSupport.parkNanos(1);
                if (outcome instanceof Permit permit) {
                    permit.close();
                }
                outcomes.add(outcome);
            });
        }
        for (int i = 0; i < 1_000; i++) {
            assertThat(outcomes.poll(25, TimeUnit.SECONDS)).isInstanceOf(Permit.class);
        }
        assertThat(admission.inFlight()).isZero();
        assertThat(admission.waiting()).isZero();
    }

    @Test
    void aWaitEndsAtItsDeadlineAndAFullLineAtOnce() {
        Admission admission = real(1, 0, Duration.ofMillis(1));
        admission.tryEnter(Priority.CRITICAL, 1);
        assertThat(admission.acquire(new Caller(Priority.NORMAL, 2)))
                .extracting(outcome -> ((Outcome.Refused) outcome).reason())
                .isEqualTo(RefusalReason.LIMIT);
        Admission patient = real(1, 1, Duration.ofMillis(1));
        patient.tryEnter(Priority.CRITICAL, 1);
        assertThat(patient.acquire(new Caller(Priority.NORMAL, 2)))
                .extracting(outcome -> ((Outcome.Refused) outcome).reason())
                .isEqualTo(RefusalReason.QUEUE_TIMEOUT);
        assertThat(patient.refused(RefusalReason.QUEUE_TIMEOUT, Priority.NORMAL))
                .isEqualTo(1);
    }

    @Test
    void anInterruptEndsTheWaitAndIsKept() throws InterruptedException {
        Admission admission = real(1, 10, LONG);
        admission.tryEnter(Priority.CRITICAL, 1);
        BlockingQueue<Boolean> flags = new LinkedBlockingQueue<>();
        BlockingQueue<Outcome> outcomes = new LinkedBlockingQueue<>();
        Thread waiting = Thread.startVirtualThread(() -> {
            outcomes.add(admission.acquire(new Caller(Priority.NORMAL, 2)));
            flags.add(Thread.currentThread().isInterrupted());
        });
        awaitWaiting(admission, 1);
        waiting.interrupt();
        assertThat(((Outcome.Refused) outcomes.take()).reason()).isEqualTo(RefusalReason.INTERRUPTED);
        assertThat(flags.take()).isTrue();
        assertThat(admission.waiting()).isZero();
    }

    @Test
    void theMostImportantGoesFirstAndAmongEqualsTheOldestWhileWaitsAreShort() {
        var admission = simulated(Duration.ofSeconds(10));
        long token = admission.tryEnter(Priority.CRITICAL, 0);
        join(admission, "first", Priority.NORMAL);
        join(admission, "second", Priority.NORMAL);
        join(admission, "critical", Priority.CRITICAL);
        drain(admission, token);
        assertThat(served).containsExactly("critical", "first", "second");
    }

    @Test
    void onceWaitsAreLongTheNewestGoesFirst() {
        var admission = simulated(Duration.ofSeconds(10));
        long token = admission.tryEnter(Priority.CRITICAL, 0);
        join(admission, "first", Priority.NORMAL);
        clock.advance(Duration.ofSeconds(6));
        join(admission, "second", Priority.NORMAL);
        drain(admission, token);
        assertThat(served).containsExactly("second", "first");
    }

    @Test
    void whoseDeadlinePassedIsTurnedAwayAndTakesNoPlace() {
        var admission = simulated(Duration.ofSeconds(10));
        long token = admission.tryEnter(Priority.CRITICAL, 0);
        join(admission, "late", Priority.NORMAL);
        clock.advance(Duration.ofSeconds(11));
        join(admission, "new", Priority.NORMAL);
        drain(admission, token);
        assertThat(served).containsExactly("late refused", "new");
    }

    private Admission simulated(Duration maxWait) {
        return new Admission(ShedConfig.fixed(1).withQueue(new QueueConfig(10, maxWait)), clock, 1);
    }

    private final List<Long> tokens = new ArrayList<>();

    private void join(Admission admission, String name, Priority priority) {
        admission.enterOrWait(
                1,
                new Waiter(
                        priority,
                        clock.nanoTime(),
                        clock.nanoTime() + admission.maxWait().toNanos()) {
                    @Override
                    void settled() {
                        served.add(result >= 0 ? name : name + " refused");
                        if (result >= 0) {
                            tokens.add(result);
                        }
                    }
                });
    }

    private void drain(Admission admission, long token) {
        admission.leave(token, Completion.SUCCESS);
        while (!tokens.isEmpty()) {
            admission.leave(tokens.removeFirst(), Completion.SUCCESS);
        }
    }
}
