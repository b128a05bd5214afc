package dev.weir.lab.engine;

/** When to try again to connect: after failures in a row at doubling distances, one attempt at a time. */
final class Backoff {
    private static final long SHORTEST_NANOS = 10_000_000;
    private static final long LONGEST_NANOS = 320_000_000;

    private final int atOnce;
    private long waitNanos;
    private long notBeforeNanos;

    /**
     * Makes one without failures.
     *
     * @param atOnce attempts at the same time while the service accepts
     */
    Backoff(int atOnce) {
        this.atOnce = atOnce;
    }

    void succeeded() {
        waitNanos = 0;
    }

    void failed(long nowNanos) {
        waitNanos = Math.clamp(waitNanos * 2, SHORTEST_NANOS, LONGEST_NANOS);
        notBeforeNanos = nowNanos + waitNanos;
    }

    /** Whether the last attempt failed. */
    boolean failing() {
        return waitNanos > 0;
    }

    boolean mayTry(long nowNanos, int underWay) {
        return failing() ? underWay == 0 && nowNanos >= notBeforeNanos : underWay < atOnce;
    }

    /** When the next attempt may be made; meaningful while failing. */
    long nextTryNanos() {
        return notBeforeNanos;
    }
}
