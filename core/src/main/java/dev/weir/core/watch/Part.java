package dev.weir.core.watch;

/** Calls of one kind: how many, how long together, and how long at least one was under way. Not safe for threads. */
final class Part {

    private int calls;
    private int failures;
    private int open;
    /** Less the beginning of each open call, which its end makes a duration. */
    private long sumNanos;

    private long unionNanos;
    private long openSinceNanos;

    void begin(long nowNanos) {
        calls++;
        sumNanos -= nowNanos;
        if (open++ == 0) {
            openSinceNanos = nowNanos;
        }
    }

    void end(long nowNanos) {
        sumNanos += nowNanos;
        if (--open == 0) {
            unionNanos += nowNanos - openSinceNanos;
        }
    }

    void failed() {
        failures++;
    }

    boolean isOpen() {
        return open > 0;
    }

    int calls() {
        return calls;
    }

    int failures() {
        return failures;
    }

    /** All calls' times added, those that are open up to now. */
    long sumNanos(long nowNanos) {
        return sumNanos + open * nowNanos;
    }

    /** How long at least one was open. */
    long unionNanos(long nowNanos) {
        return open == 0 ? unionNanos : unionNanos + nowNanos - openSinceNanos;
    }
}
