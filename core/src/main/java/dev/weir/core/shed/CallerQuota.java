package dev.weir.core.shed;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.weir.core.time.NanoClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A rate limit for each caller: the generic cell rate algorithm (ITU-T I.371), one number a caller, the time at which its next
 * request is due if it keeps exactly to its rate. A caller without an entry has its whole burst, so forgetting an idle one
 * loses nothing. Memory is bounded; in a flood of distinct callers the cache (W-TinyLFU) keeps those that come often, which are
 * those that a quota is about. Thread-safe; only {@link #sync} blocks.
 *
 * <p>Several instances share a quota by adding up what was taken from time to time, after it was taken: the due time of a caller then is
 * that of all instances together. No request waits for that, and over time no more than the rate gets through; until the
 * sums are in, each instance may let a whole burst through. While the store does not answer, each instance keeps to its part of the
 * quota, by the number of instances there were last.
 */
final class CallerQuota {

    private static final double NANOS_PER_SECOND = 1e9;
    private static final long ALONE_AFTER_NANOS = 1_000_000_000L;
    private static final int MOST_TOLD = 1_000;
    private static final int MOST_UNTOLD = 10_000;

    private final Cache<Long, Cell> due;
    private final long intervalNanos;
    private final int burst;
    private final Queue<Cell> untold = new ConcurrentLinkedQueue<>();
    private final AtomicInteger untoldSize = new AtomicInteger();
    private volatile boolean shared;
    private volatile int instances = 1;
    private volatile long sharedNanos;

    /** A caller: the number is when its next request is due. */
    private static final class Cell extends AtomicLong {
        private static final long serialVersionUID = 1;

        final long key;
        final AtomicInteger taken = new AtomicInteger();

        /** Whether it stands among those to be told. */
        final AtomicInteger queued = new AtomicInteger();

        Cell(long key, long nowNanos) {
            super(nowNanos);
            this.key = key;
        }

        /** Takes in that all instances together stand at that time; what was taken here meanwhile comes on top. */
        void stand(long dueNanos, long intervalNanos) {
            long all = dueNanos + taken.get() * intervalNanos;
            accumulateAndGet(all, (here, told) -> told - here > 0 ? told : here);
        }
    }

    CallerQuota(QuotaConfig config) {
        this.intervalNanos = Math.max(1, Math.round(NANOS_PER_SECOND / config.perSecond()));
        this.burst = config.burst();
        this.due = Caffeine.newBuilder()
                .maximumSize(config.maxCallers())
                .executor(Runnable::run)
                .build();
    }

    /** Takes one request's worth; false when the caller is over its quota, which then costs it nothing. */
    boolean take(long key, long nowNanos) {
        Cell cell = due.get(key, unused -> new Cell(key, nowNanos));
        int parts = parts(nowNanos);
        while (true) {
            long dueNanos = cell.get();
            long from = dueNanos - nowNanos > 0 ? dueNanos : nowNanos;
            if (from - nowNanos > toleranceNanos(parts)) {
                return false;
            }
            if (cell.compareAndSet(dueNanos, from + intervalNanos * parts)) {
                if (shared) {
                    remember(cell);
                }
                return true;
            }
        }
    }

    /** Into how many the quota is divided: among the instances while they cannot add up. */
    private int parts(long nowNanos) {
        return shared && nowNanos - sharedNanos > ALONE_AFTER_NANOS ? instances : 1;
    }

    private long toleranceNanos(int parts) {
        return intervalNanos * Math.max(0, burst - parts);
    }

    private void remember(Cell cell) {
        cell.taken.incrementAndGet();
        if (cell.queued.get() == 0 && untoldSize.get() < MOST_UNTOLD && cell.queued.compareAndSet(0, 1)) {
            untoldSize.incrementAndGet();
            untold.add(cell);
        }
    }

    /**
     * Tells what was taken here and takes in how callers stand; of a flood of callers a part, those that come again.
     *
     * @param clock read after the store has answered
     */
    void sync(QuotaStore store, NanoClock clock) throws Exception {
        shared = true;
        List<Cell> cells = new ArrayList<>();
        List<QuotaStore.Taken> taken = new ArrayList<>();
        for (Cell cell = untold.poll(); cell != null; cell = cells.size() < MOST_TOLD ? untold.poll() : null) {
            untoldSize.decrementAndGet();
            cell.queued.set(0);
            int requests = cell.taken.getAndSet(0);
            if (requests > 0) {
                cells.add(cell);
                taken.add(new QuotaStore.Taken(cell.key, requests));
            }
        }
        QuotaStore.Standing standing = store.add(taken, intervalNanos);
        long nowNanos = clock.nanoTime();
        instances = Math.max(1, standing.instances());
        sharedNanos = nowNanos;
        for (int i = 0; i < cells.size(); i++) {
            cells.get(i).stand(nowNanos + standing.aheadNanos().get(i), intervalNanos);
        }
    }

    /** How long until the caller may come again. */
    Duration wait(long key, long nowNanos) {
        Cell cell = due.getIfPresent(key);
        return cell == null
                ? Duration.ZERO
                : Duration.ofNanos(Math.max(0, cell.get() - nowNanos - toleranceNanos(parts(nowNanos))));
    }

    long remembered() {
        due.cleanUp();
        return due.estimatedSize();
    }

    int untold() {
        return untoldSize.get();
    }
}
