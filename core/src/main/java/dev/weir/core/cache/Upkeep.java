package dev.weir.core.cache;

import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * When Caffeine does the bookkeeping of its reads and writes: on the threads that come by, now and then.
 *
 * <p>Each bookkeeping writes to entries that other threads are reading. Done as soon as Caffeine asks for it, every 16 hits,
 * by whichever thread comes along, it makes two threads slower than one; handed to a pool it takes a CPU that a busy
 * service does not have to spare. A pause between two of them costs nothing but detail: Caffeine drops reads meanwhile, as
 * it is built to, and thousands of samples a second are plenty to tell which entries are in demand.
 *
 * <p>Any thread may call it.
 */
final class Upkeep implements Executor {
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    private final AtomicReference<@Nullable Runnable> waiting = new AtomicReference<>();
    private volatile long dueNanos;

    Upkeep(long nowNanos) {
        this.dueNanos = nowNanos;
    }

    /** Keeps the work for a later call of {@link #run} or {@link #runIfDue}. Caffeine waits with more until it is done. */
    @Override
    public void execute(Runnable work) {
        Runnable before = waiting.getAndSet(work);
        if (before != null) {
            before.run();
        }
    }

    /** Does what waits, unless that was done a moment ago. */
    void runIfDue(long nowNanos) {
        if (waiting.getPlain() != null && nowNanos - dueNanos >= 0) {
            dueNanos = nowNanos + PAUSE_NANOS;
            run();
        }
    }

    /** Does what waits. */
    void run() {
        Runnable work = waiting.getAndSet(null);
        if (work != null) {
            work.run();
        }
    }
}
