package dev.weir.core.route;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Counts answers of the replicas, so that readers can wait for the next one. A lock, not a monitor, for virtual threads. */
final class Progress {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private long count;

    long count() {
        lock.lock();
        try {
            return count;
        } finally {
            lock.unlock();
        }
    }

    void made() {
        lock.lock();
        try {
            count++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until there are more; false when the time is over or the thread is interrupted, which stays set. */
    boolean awaitBeyond(long seen, long timeoutNanos) {
        lock.lock();
        try {
            long left = timeoutNanos;
            while (count <= seen && left > 0) {
                left = changed.awaitNanos(left);
            }
            return count > seen;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }
}
