package dev.weir.core.shed;

/** What the service gives up, in this order, before it refuses anybody; each stage includes those before it. */
public enum Stage {
    /** Everything is done. */
    NORMAL(0),
    /** Best-effort work is dropped. */
    DROP_BEST_EFFORT(0.5),
    /** Work that can wait goes straight to the outbox. */
    DEFER_TO_OUTBOX(0.65),
    /** Entries of the cache that are over age are served. */
    SERVE_STALE(0.8),
    /** Requests of low priority are refused, and after them others. */
    REFUSE_LOW(Pressure.REFUSING);

    private final double pressure;

    Stage(double pressure) {
        this.pressure = pressure;
    }

    /** From which pressure on. */
    public double pressure() {
        return pressure;
    }

    /** Whether what the other stage gives up is given up. */
    public boolean includes(Stage other) {
        return compareTo(other) >= 0;
    }
}
