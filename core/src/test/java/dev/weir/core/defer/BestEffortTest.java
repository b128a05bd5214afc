package dev.weir.core.defer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BestEffortTest {
    private final CountDownLatch gate = new CountDownLatch(1);

    private void waitAtGate() {
        try {
            gate.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void dropsAndCountsWhatIsTooMuchWithoutBlocking() {
        try (BestEffort effort = new BestEffort(new BestEffortConfig(2, 3), ContextCarrier.none())) {
            int taken = 0;
            for (int i = 0; i < 8; i++) {
                taken += effort.offer(this::waitAtGate) ? 1 : 0;
            }
            assertThat(taken).isEqualTo(5);
            assertThat(effort.stats()).isEqualTo(new BestEffortStats(5, 0, 0, 3, 0, 0, 3, 2));
            assertThatThrownBy(() -> effort.execute(() -> {}))
                    .isInstanceOf(RejectedExecutionException.class)
                    .hasMessageContaining("3 tasks wait already");
            gate.countDown();
            assertThat(effort.close(Duration.ofSeconds(30))).isZero();
            assertThat(effort.stats().completed()).isEqualTo(5);
            assertThat(effort.offer(() -> {})).isFalse();
            assertThat(effort.stats().droppedClosed()).isOne();
        }
    }

    @Test
    void neverRunsMoreThanItsBoundAtOnceAndRunsAllThatItTook() {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger done = new AtomicInteger();
        BestEffort effort = new BestEffort(new BestEffortConfig(4, 100_000), ContextCarrier.none());
        for (int i = 0; i < 20_000; i++) {
            assertThat(effort.offer(() -> {
                        most.accumulateAndGet(running.incrementAndGet(), Math::max);
                        LockSupport.parkNanos(1);
                        running.decrementAndGet();
                        done.incrementAndGet();
                    }))
                    .isTrue();
        }
        assertThat(effort.close(Duration.ofSeconds(50))).isZero();
        assertThat(done).hasValue(20_000);
        assertThat(most.get()).isBetween(1, 4);
    }

    @Test
    void dropsWhatIsLeftAtTheDeadlineAndInterruptsWhatRuns() throws InterruptedException {
        CountDownLatch interrupted = new CountDownLatch(1);
        CountDownLatch started = new CountDownLatch(1);
        BestEffort effort = new BestEffort(new BestEffortConfig(1, 10), ContextCarrier.none());
        assertThat(effort.offer(() -> {
                    started.countDown();
                    try {
                        gate.await();
                    } catch (InterruptedException expected) {
                        interrupted.countDown();
                    }
                }))
                .isTrue();
        started.await();
        List<String> ran = Collections.synchronizedList(new ArrayList<>());
        assertThat(effort.offer(() -> ran.add("late"))).isTrue();
        assertThat(effort.close(Duration.ZERO)).isEqualTo(2);
        assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(effort.stats().droppedAtDeadline()).isEqualTo(2);
        assertThat(effort.close(Duration.ZERO)).isZero();
        assertThat(ran).isEmpty();
    }

    @Test
    void aTaskThatThrowsEndsNothing() {
        AtomicInteger done = new AtomicInteger();
        BestEffort effort = new BestEffort(new BestEffortConfig(1, 10), ContextCarrier.none());
        for (int i = 0; i < 5; i++) {
            assertThat(effort.offer(() -> {
                        if (done.incrementAndGet() < 4) {
                            throw new IllegalStateException("broken task");
                        }
                    }))
                    .isTrue();
        }
        assertThat(effort.close(Duration.ofSeconds(30))).isZero();
        assertThat(effort.stats().completed()).isEqualTo(5);
        assertThat(effort.stats().failed()).isEqualTo(3);
    }

    @Test
    void takesTheCallersContextAlong() throws InterruptedException {
        ThreadLocal<String> locale = new ThreadLocal<>();
        ContextCarrier carrier = task -> {
            String callers = locale.get();
            return () -> {
                locale.set(callers);
                try {
                    task.run();
                } finally {
                    locale.remove();
                }
            };
        };
        List<String> seen = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch done = new CountDownLatch(1);
        try (BestEffort effort = new BestEffort(BestEffortConfig.defaults(), carrier)) {
            locale.set("de");
            assertThat(effort.offer(() -> {
                        seen.add(locale.get());
                        done.countDown();
                    }))
                    .isTrue();
            done.await();
        }
        assertThat(seen).containsExactly("de");
    }

    @Test
    void refusesAWrongValueWithASentence() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new BestEffortConfig(0, 1))
                .withMessage("Best effort: running is 0; allowed is 1 to 100,000. Change running.");
    }
}
