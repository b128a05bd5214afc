package dev.weir.lab.engine;

import dev.weir.lab.arrival.Schedule;
import java.io.IOException;
import java.nio.channels.Selector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/**
 * Wakes an engine thread at its next intended time. A selector's own time-out counts whole milliseconds, which would make
 * requests up to a millisecond late, and polling would burn the processor the service needs.
 *
 * <p>It walks through a copy of the thread's schedule, sleeping from one intended time to the next, and wakes the selector
 * only where the thread says that it sleeps for that very time ({@link #sleepingUntil}). No wake-up is lost: the thread
 * first says so, then looks at the clock once more before it sleeps; the waker first looks at the clock, then at what the
 * thread says. Both are volatile, so if the waker reads too early, the thread sees that its time has come.
 *
 * <p>Intended times closer together than a tenth of a millisecond share a wake-up.
 */
final class Waker implements Runnable {
    static final long NEVER = Long.MAX_VALUE;
    private static final long SHORTEST_SLEEP_NANOS = 100_000;

    private final Selector selector;
    private final Thread thread;
    private volatile long sleepingUntil = NEVER;
    private volatile Task task = Task.NONE;
    private volatile boolean closed;

    private static final class Task {
        static final Task NONE = new Task(0, () -> Schedule.END);

        final long startNanos;
        final Schedule schedule;

        Task(long startNanos, Schedule schedule) {
            this.startNanos = startNanos;
            this.schedule = schedule;
        }
    }

    Waker(Selector selector, String name) {
        this.selector = selector;
        this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this);
    }

    void start() {
        thread.start();
    }

    /** Follows a schedule that starts at an absolute time. */
    void follow(long startNanos, Schedule schedule) {
        task = new Task(startNanos, schedule);
        LockSupport.unpark(thread);
    }

    void rest() {
        task = Task.NONE;
    }

    void close() {
        closed = true;
        LockSupport.unpark(thread);
    }

    /** The engine thread is about to sleep and wants to be woken at this absolute time. */
    void sleepingUntil(long nanos) {
        sleepingUntil = nanos;
    }

    void awake() {
        sleepingUntil = NEVER;
    }

    @Override
    public void run() {
        sharpenTimers();
        while (!closed) {
            Task now = task;
            walk(now);
            if (task == now && !closed) {
                LockSupport.park(this);
            }
        }
    }

    private void walk(Task followed) {
        long next = followed.schedule.nextNanos();
        while (next != Schedule.END && task == followed && !closed) {
            long wait = followed.startNanos + next - System.nanoTime();
            if (wait > 0) {
                LockSupport.parkNanos(this, Math.max(wait, SHORTEST_SLEEP_NANOS));
            }
            long now = System.nanoTime();
            if (sleepingUntil <= now) {
                selector.wakeup();
            }
            while (next <= now - followed.startNanos) {
                next = followed.schedule.nextNanos();
            }
        }
    }

    /** Lets Linux wake this thread within a microsecond of its time instead of 50; elsewhere nothing happens. */
    private static void sharpenTimers() {
        try {
            Path self = Files.readSymbolicLink(Path.of("/proc/thread-self"));
            Files.writeString(Path.of("/proc", self.getFileName().toString(), "timerslack_ns"), "1000");
        } catch (IOException | RuntimeException e) {
            // The default is only a little less precise.
        }
    }
}
