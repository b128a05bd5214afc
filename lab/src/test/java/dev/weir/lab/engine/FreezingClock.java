package dev.weir.lab.engine;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Freezes those who ask once, for a while, some time after the first asked. */
final class FreezingClock {
    private final long beginNanos;
    private final long endNanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition passed = lock.newCondition();
    private long firstNanos;
    private boolean started;

    FreezingClock(Duration begin, Duration length) {
        this.beginNanos = begin.toNanos();
        this.endNanos = beginNanos + length.toNanos();
    }

    void waitWhileFrozen() throws InterruptedException {
        lock.lock();
        try {
            if (!started) {
                started = true;
                firstNanos = System.nanoTime();
            }
            long since = System.nanoTime() - firstNanos;
            while (since >= beginNanos && since < endNanos) {
                boolean _ = passed.await(endNanos - since, TimeUnit.NANOSECONDS);
                since = System.nanoTime() - firstNanos;
            }
        } finally {
            lock.unlock();
        }
    }
}
