package dev.weir.core.defer;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks on virtual threads, bounded, and drops what is too much: audit lines, analytics, warming a cache. It never blocks its
 * caller, and everything dropped is counted by its reason.
 *
 * <p>Waiting tasks are entries of a queue, not parked threads; a thread that has ended its task takes the next one. One lock guards
 * queue and counts, and is never held while a task runs. Any thread may call it.
 */
public final class BestEffort implements Executor, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BestEffort.class);
    private static final Duration CLOSE_TIME = Duration.ofSeconds(5);

    private final BestEffortConfig config;
    private final ContextCarrier context;
    private final ThreadFactory threads;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition idle = lock.newCondition();

    /** Guarded by the lock, as all that follow. */
    private final Deque<Runnable> queue = new ArrayDeque<>();

    private final Set<Thread> runners = new HashSet<>();
    private boolean closed;
    private boolean ended;
    private boolean failureIsLogged;
    private long accepted;
    private long completed;
    private long failed;
    private long droppedFull;
    private long droppedClosed;
    private long droppedAtDeadline;

    /** On virtual threads. */
    public BestEffort(BestEffortConfig config, ContextCarrier context) {
        this(config, context, Thread.ofVirtual().name("weir-best-effort-", 0).factory());
    }

    BestEffort(BestEffortConfig config, ContextCarrier context, ThreadFactory threads) {
        this.config = config;
        this.context = context;
        this.threads = threads;
    }

    /** Takes a task, or drops it; answers which. The task runs later, at most once, with the caller's context. */
    public boolean offer(Runnable task) {
        Objects.requireNonNull(task, "There is no task; null was given.");
        Runnable carried = context.carry(task);
        Thread runner = null;
        lock.lock();
        try {
            if (closed) {
                droppedClosed++;
                return false;
            }
            if (runners.size() >= config.running() && queue.size() >= config.waiting()) {
                droppedFull++;
                return false;
            }
            accepted++;
            if (runners.size() < config.running()) {
                runner = threads.newThread(() -> run(carried));
                runners.add(runner);
            } else {
                queue.addLast(carried);
            }
        } finally {
            lock.unlock();
        }
        if (runner != null) {
            runner.start();
        }
        return true;
    }

    /**
     * As {@link #offer}, for code that wants an executor.
     *
     * @throws RejectedExecutionException if the task is dropped
     */
    @Override
    public void execute(Runnable task) {
        if (!offer(task)) {
            throw new RejectedExecutionException("Best effort: the task was dropped, because "
                    + (isClosed()
                            ? "it is closed."
                            : config.waiting() + " tasks wait already. Raise waiting or running."));
        }
    }

    private boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    private void run(Runnable first) {
        for (Runnable task = first; task != null; task = next()) {
            runOne(task);
        }
    }

    private void runOne(Runnable task) {
        boolean threw = true;
        try {
            task.run();
            threw = false;
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError thrown) {
            logFirst(thrown);
        } finally {
            count(threw);
        }
    }

    private void count(boolean threw) {
        lock.lock();
        try {
            if (ended) {
                return;
            }
            completed++;
            if (threw) {
                failed++;
            }
        } finally {
            lock.unlock();
        }
    }

    /** One log line; the counter tells of the others. */
    private void logFirst(Throwable thrown) {
        lock.lock();
        try {
            if (failureIsLogged) {
                return;
            }
            failureIsLogged = true;
        } finally {
            lock.unlock();
        }
        LOG.warn("A best-effort task failed; further ones are only counted.", thrown);
    }

    /** The next task for this thread; without one it is no runner any more. */
    private @Nullable Runnable next() {
        lock.lock();
        try {
            Runnable next = queue.pollFirst();
            if (next == null) {
                runners.remove(Thread.currentThread());
                if (runners.isEmpty()) {
                    idle.signalAll();
                }
            }
            return next;
        } finally {
            lock.unlock();
        }
    }

    /** What it has counted. */
    public BestEffortStats stats() {
        lock.lock();
        try {
            return new BestEffortStats(
                    accepted,
                    completed,
                    failed,
                    droppedFull,
                    droppedClosed,
                    droppedAtDeadline,
                    queue.size(),
                    runners.size());
        } finally {
            lock.unlock();
        }
    }

    /** Closes within 5 seconds. */
    @Override
    public void close() {
        long dropped = close(CLOSE_TIME);
        if (dropped > 0) {
            LOG.warn("{} best-effort tasks were dropped at the end.", dropped);
        }
    }

    /**
     * Takes no more tasks and waits until those taken have run or this time is over; then waiting ones are dropped and running ones
     * interrupted. Answers how many that were.
     */
    public long close(Duration deadline) {
        lock.lock();
        try {
            closed = true;
            long left = TimeUnit.NANOSECONDS.convert(deadline);
            while (!runners.isEmpty() && left > 0) {
                left = idle.awaitNanos(left);
            }
        } catch (InterruptedException early) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
        return drop();
    }

    private long drop() {
        lock.lock();
        try {
            if (ended) {
                return 0;
            }
            ended = true;
            long dropped = (long) queue.size() + runners.size();
            droppedAtDeadline += dropped;
            queue.clear();
            runners.forEach(Thread::interrupt);
            return dropped;
        } finally {
            lock.unlock();
        }
    }
}
