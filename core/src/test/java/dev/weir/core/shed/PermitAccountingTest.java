package dev.weir.core.shed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.time.NanoClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random histories on real threads against a count kept beside; the same run finds planted faults. */
class PermitAccountingTest {

    private static final int LIMIT = 5;
    private static final int THREADS = 12;
    private static final int STEPS = 400;
    private static final List<Completion> ENDS = List.of(Completion.values());

    /** How permits are given back. */
    enum Fault {
        NONE,
        RELEASED_TWICE,
        LOST_ON_ERROR
    }

    /** What a run found. */
    private record Found(int mostHeld, int leftInFlight, int leftWaiting, long admitted) {

        boolean sound() {
            return mostHeld <= LIMIT && leftInFlight == 0 && leftWaiting == 0;
        }
    }

    private static Found run(Fault fault, boolean virtual, long seed) throws InterruptedException {
        var config = ShedConfig.fixed(LIMIT).withQueue(new QueueConfig(4, Duration.ofMillis(2)));
        var admission = new Admission(config, NanoClock.system(), seed);
        var held = new AtomicInteger();
        var mostHeld = new AtomicInteger();
        var admitted = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            var random = new Random(seed * THREADS + i);
            Runnable caller = () -> {
                for (int step = 0; step < STEPS; step++) {
                    if (request(admission, random, fault, held, mostHeld)) {
                        admitted.incrementAndGet();
                    }
                }
            };
            threads.add(
                    virtual
                            ? Thread.ofVirtual().start(caller)
                            : Thread.ofPlatform().start(caller));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return new Found(mostHeld.get(), admission.inFlight(), admission.waiting(), admitted.get());
    }

    private static boolean request(
            Admission admission, Random random, Fault fault, AtomicInteger held, AtomicInteger mostHeld) {
        var caller = new Caller(Priority.at(random.nextInt(Priority.COUNT)), random.nextLong());
        if (random.nextInt(8) == 0) {
            Thread.currentThread().interrupt();
        }
        Outcome outcome = random.nextBoolean() ? admission.acquire(caller) : admission.tryAcquire(caller);
        Thread.interrupted();
        if (!(outcome instanceof Permit permit)) {
            return false;
        }
        mostHeld.accumulateAndGet(held.incrementAndGet(), Math::max);
        try {
            work(random);
        } catch (StackOverflowError e) {
            held.decrementAndGet();
            if (fault != Fault.LOST_ON_ERROR) {
                permit.close(Completion.DROPPED);
            }
            return true;
        }
        held.decrementAndGet();
        permit.close(ENDS.get(random.nextInt(ENDS.size())));
        permit.close();
        if (fault == Fault.RELEASED_TWICE && random.nextInt(10) == 0) {
            admission.leave(caller.priority().index(), Completion.SUCCESS);
        }
        return true;
    }

    private static void work(Random random) {
        for (int i = random.nextInt(4); i > 0; i--) {
            LockSupport.parkNanos(1);
        }
        if (random.nextInt(20) == 0) {
            throw new StackOverflowError("planted");
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyPlaceIsGivenBackOnceAndTheLimitHolds(Fault fault) throws InterruptedException {
        int unsound = 0;
        for (int seed = 0; seed < 6; seed++) {
            Found found = run(fault, seed % 2 == 0, seed);
            assertThat(found.admitted()).isPositive();
            unsound += found.sound() ? 0 : 1;
        }
        assertThat(unsound).isEqualTo(fault == Fault.NONE ? 0 : 6);
    }

    @Test
    void oneOfManyWhoCloseTheSamePermitGivesItBack() throws InterruptedException {
        var admission = new Admission(ShedConfig.fixed(1_000));
        for (int round = 0; round < 200; round++) {
            var kept = (Permit) admission.tryAcquire(new Caller(Priority.NORMAL, round));
            var raced = (Permit) admission.tryAcquire(new Caller(Priority.NORMAL, round));
            Thread other = Thread.ofPlatform().start(raced::close);
            raced.close(Completion.DROPPED);
            other.join();
            assertThat(admission.inFlight()).isEqualTo(1);
            kept.close();
        }
    }
}
