package dev.weir.core.cache;

import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;

/**
 * Reloads ahead of expiry, at most so many at the same time for all caches of a node. One that finds no room does not
 * wait: the value still answers, and its next hit asks again. Any thread may call it.
 */
final class Refreshes {
    private final Executor executor;
    private final Semaphore room;

    Refreshes(Executor executor, int atOnce) {
        this.executor = executor;
        this.room = new Semaphore(atOnce);
    }

    /** Whether the caller may hand work to {@link #run}; then it must, or {@link #leave}. */
    boolean enter() {
        return room.tryAcquire();
    }

    void leave() {
        room.release();
    }

    /** Runs it, soon, on another thread. */
    void run(Runnable work) {
        executor.execute(() -> {
            try {
                work.run();
            } finally {
                leave();
            }
        });
    }
}
