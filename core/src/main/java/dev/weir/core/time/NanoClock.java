package dev.weir.core.time;

/** A monotonic clock: differences of two readings are durations; a single reading means nothing. Any thread may call it. */
@FunctionalInterface
public interface NanoClock {

    /** Nanoseconds since an arbitrary origin, which may be negative; compare readings by their difference. */
    long nanoTime();

    /** {@link System#nanoTime()}. */
    static NanoClock system() {
        return System::nanoTime;
    }
}
