package dev.weir.core.shed;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A rate limit for each caller: the generic cell rate algorithm (ITU-T I.371), one number a caller, the time at which its next
 * request is due if it keeps exactly to its rate. A caller without an entry has its whole burst, so forgetting an idle one
 * loses nothing. Memory is bounded; in a flood of distinct callers the cache (W-TinyLFU) keeps those that come often, which are
 * those that a quota is about. Thread-safe, does not block.
 */
final class CallerQuota {

    private static final double NANOS_PER_SECOND = 1e9;

    private final Cache<Long, AtomicLong> due;
    private final long intervalNanos;
    private final long toleranceNanos;

    CallerQuota(QuotaConfig config) {
        this.intervalNanos = Math.max(1, Math.round(NANOS_PER_SECOND / config.perSecond()));
        this.toleranceNanos = intervalNanos * (config.burst() - 1);
        this.due = Caffeine.newBuilder()
                .maximumSize(config.maxCallers())
                .executor(Runnable::run)
                .build();
    }

    /** Takes one request's worth; false when the caller is over its quota, which then costs it nothing. */
    boolean take(long key, long nowNanos) {
        AtomicLong cell = due.get(key, unused -> new AtomicLong(nowNanos));
        while (true) {
            long dueNanos = cell.get();
            long from = dueNanos - nowNanos > 0 ? dueNanos : nowNanos;
            if (from - nowNanos > toleranceNanos) {
                return false;
            }
            if (cell.compareAndSet(dueNanos, from + intervalNanos)) {
                return true;
            }
        }
    }

    /** How long until the caller may come again. */
    Duration wait(long key, long nowNanos) {
        AtomicLong cell = due.getIfPresent(key);
        return cell == null ? Duration.ZERO : Duration.ofNanos(Math.max(0, cell.get() - nowNanos - toleranceNanos));
    }

    long remembered() {
        due.cleanUp();
        return due.estimatedSize();
    }
}
