package dev.weir.core.shed;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Those who wait for a place, a few, by priority. While waits are short the oldest goes first; once the oldest has waited for
 * half of its time, the newest does (adaptive LIFO, Maurer, "Fail at Scale", ACM Queue 13/8, 2015): under lasting overload
 * that serves callers who are still there, and the others reach their deadline instead of all being late.
 *
 * <p>{@link #waiting} is written under the lock and read without it. Who waits adds itself first and then looks for a place;
 * who leaves gives its place back first and then looks for who waits; both are volatile, so one of the two sees the other. A
 * {@link ReentrantLock} since it does not pin virtual threads; nothing blocks under it, and no callback runs under it.
 */
final class WaitLine {

    private static final long LIFO_AFTER_SHARE = 2;

    private final int capacity;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Deque<Waiter>> lines = new ArrayList<>();
    private volatile int waiting;

    WaitLine(int capacity) {
        this.capacity = capacity;
        for (int i = 0; i < Priority.COUNT; i++) {
            lines.add(new ArrayDeque<>());
        }
    }

    int waiting() {
        return waiting;
    }

    /** Adds one; false when the line is full. */
    boolean offer(Waiter waiter) {
        lock.lock();
        try {
            if (waiting >= capacity) {
                return false;
            }
            line(waiter.priority).addLast(waiter);
            count();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Gives free places to those who wait, the most important first, and turns away whose deadline has passed.
     *
     * @param place takes a place for a priority and returns its token, or a negative number where there is none
     * @param timedOut what those get whose deadline has passed
     */
    void serve(long nowNanos, ToLongFunction<Priority> place, long timedOut) {
        while (waiting > 0) {
            Waiter next = settleNext(nowNanos, place, timedOut);
            if (next == null) {
                return;
            }
            next.settled();
        }
    }

    private @Nullable Waiter settleNext(long nowNanos, ToLongFunction<Priority> place, long timedOut) {
        lock.lock();
        try {
            for (Deque<Waiter> line : lines) {
                Waiter oldest = line.peekFirst();
                if (oldest != null) {
                    if (nowNanos - oldest.deadlineNanos >= 0) {
                        return settle(line.removeFirst(), timedOut);
                    }
                    long token = place.applyAsLong(oldest.priority);
                    if (token >= 0) {
                        return settle(patient(oldest, nowNanos) ? line.removeFirst() : line.removeLast(), token);
                    }
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    private static boolean patient(Waiter oldest, long nowNanos) {
        return (nowNanos - oldest.sinceNanos) * LIFO_AFTER_SHARE < oldest.deadlineNanos - oldest.sinceNanos;
    }

    private Waiter settle(Waiter waiter, long result) {
        count();
        waiter.result = result;
        return waiter;
    }

    /** Takes a waiter out that gives up; false when it has a result already, which then holds. */
    boolean abandon(Waiter waiter, long result) {
        lock.lock();
        try {
            if (waiter.result != Waiter.PENDING) {
                return false;
            }
            line(waiter.priority).remove(waiter);
            settle(waiter, result);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private Deque<Waiter> line(Priority priority) {
        return lines.get(priority.index());
    }

    private void count() {
        int sum = 0;
        for (Deque<Waiter> line : lines) {
            sum += line.size();
        }
        waiting = sum;
    }
}
