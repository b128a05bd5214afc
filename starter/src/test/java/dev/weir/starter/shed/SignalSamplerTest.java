package dev.weir.starter.shed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.weir.core.shed.Admission;
import dev.weir.core.shed.Completion;
import dev.weir.core.shed.Priority;
import dev.weir.core.shed.ShedConfig;
import dev.weir.core.shed.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** In each case the CPU is at its end and must be heard, whatever becomes of the other signals. */
@Timeout(60)
class SignalSamplerTest {

    private static final double BUSY = 1;

    private final AtomicLong nanos = new AtomicLong();
    private final Admission admission = new Admission(ShedConfig.fixed(100), nanos::get, 1);
    private final AtomicInteger waiting = new AtomicInteger();

    private SignalSampler sampler(DoubleSupplier publisher) {
        return new SignalSampler(admission, waiting::get, publisher, () -> BUSY, nanos::get);
    }

    private void pass(int millis) {
        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    private void second(SignalSampler sampler) {
        for (int i = 0; i < 10; i++) {
            pass(100);
            sampler.samplePool();
        }
        sampler.signals().stream()
                .filter(signal -> !signal.name().equals("pool"))
                .forEach(Signal::read);
        sampler.tell();
        pass(100);
    }

    private static Signal signal(SignalSampler sampler, String name) {
        return sampler.signals().stream()
                .filter(signal -> signal.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private void onlyTheCpuIsHeard(SignalSampler sampler, String broken) {
        for (int i = 0; i < 20; i++) {
            second(sampler);
        }
        assertThat(signal(sampler, broken).value()).isZero();
        assertThat(signal(sampler, broken).failures()).isPositive();
        assertThat(signal(sampler, "cpu").failures()).isZero();
        assertThat(admission.pressure()).isCloseTo(0.94, within(0.001));
        assertThat(admission.stage()).isEqualTo(Stage.SERVE_STALE);
    }

    @Test
    void aSignalThatThrowsChangesNothingAndIsCounted() {
        onlyTheCpuIsHeard(
                sampler(() -> {
                    throw new IllegalStateException("as asked for");
                }),
                "publisher");
    }

    @Test
    void aSignalThatIsNoNumberChangesNothingAndIsCounted() {
        onlyTheCpuIsHeard(sampler(() -> Double.NaN), "publisher");
    }

    @Test
    void aFullPublisherIsHeardUntilItCannotBeReadAnyMore() {
        List<RuntimeException> failures = new ArrayList<>();
        SignalSampler sampler = new SignalSampler(
                admission,
                waiting::get,
                () -> {
                    failures.forEach(failure -> {
                        throw failure;
                    });
                    return 1;
                },
                () -> 0,
                nanos::get);
        second(sampler);
        assertThat(admission.pressure()).isCloseTo(0.94, within(0.001));

        failures.add(new IllegalStateException("as asked for"));
        for (int i = 0; i < 10; i++) {
            second(sampler);
        }
        assertThat(admission.pressure()).isLessThan(0.01);
    }

    @Test
    void aSignalThatHangsChangesNothingAndIsCountedWhileTheOthersAreHeard() {
        var never = new CountDownLatch(1);
        var system = System.nanoTime();
        try (var sampler = new SignalSampler(
                        new Admission(ShedConfig.fixed(100)),
                        () -> 0,
                        () -> {
                            try {
                                never.await();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                            return 1;
                        },
                        () -> BUSY,
                        System::nanoTime)
                .start()) {
            Signal hung = signal(sampler, "publisher");
            long deadline = system + TimeUnit.SECONDS.toNanos(50);
            while ((hung.failures() == 0 || signal(sampler, "cpu").value() == 0) && System.nanoTime() - deadline < 0) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
            assertThat(hung.failures()).isPositive();
            assertThat(hung.value()).isZero();
            assertThat(signal(sampler, "cpu").value()).isPositive();
        } finally {
            never.countDown();
        }
    }

    private double poolWaitMillis(SignalSampler sampler) {
        second(sampler);
        return signal(sampler, "pool").value();
    }

    private void serve(int requests) {
        for (int i = 0; i < requests; i++) {
            admission.leave(admission.tryEnter(Priority.NORMAL, i), Completion.SUCCESS);
        }
    }

    @Test
    void theWaitOfARequestFollowsLittlesLaw() {
        SignalSampler sampler = sampler(() -> 0);
        for (int i = 0; i < 5; i++) {
            admission.tryEnter(Priority.NORMAL, i);
        }
        waiting.set(5);
        second(sampler);
        serve(100);
        assertThat(poolWaitMillis(sampler)).isCloseTo(1_000 * 5 / 100.0, within(6.0));
    }

    @Test
    void whoWaitsBesideTheRequestsIsNotTakenForOne() {
        SignalSampler sampler = sampler(() -> 0);
        waiting.set(1);
        for (int i = 0; i < 5; i++) {
            assertThat(poolWaitMillis(sampler)).isZero();
        }
    }

    @Test
    void nobodyHasWaitedLongerThanWasLookedAt() {
        SignalSampler sampler = sampler(() -> 0);
        for (int i = 0; i < 20; i++) {
            admission.tryEnter(Priority.NORMAL, i);
        }
        waiting.set(20);
        second(sampler);
        assertThat(poolWaitMillis(sampler)).isBetween(900.0, 1_101.0);
    }
}
