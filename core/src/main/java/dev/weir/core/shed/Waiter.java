package dev.weir.core.shed;

/** One who waits for a place. All of its state but the wake-up is changed under its line's lock. */
abstract class Waiter {

    /** Neither admitted nor gone. */
    static final long PENDING = Long.MIN_VALUE;

    final Priority priority;
    final long sinceNanos;
    final long deadlineNanos;

    /** {@link #PENDING}, a token, or a refusal. */
    volatile long result = PENDING;

    Waiter(Priority priority, long sinceNanos, long deadlineNanos) {
        this.priority = priority;
        this.sinceNanos = sinceNanos;
        this.deadlineNanos = deadlineNanos;
    }

    /** There is a result. Called without a lock; must not block or throw. */
    abstract void settled();
}
