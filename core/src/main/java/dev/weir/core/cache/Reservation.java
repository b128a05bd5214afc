package dev.weir.core.cache;

import org.jspecify.annotations.Nullable;

/**
 * The right to keep a value that the caller is about to load itself, lost as soon as the key is invalidated. Need not be
 * used. For one thread at a time.
 *
 * @param <V> the value
 */
public final class Reservation<V> {

    /** Keeps the value if it may be kept. */
    @FunctionalInterface
    interface Fill<V> {
        boolean offer(@Nullable V value);
    }

    private final @Nullable Entry<V> present;
    private final boolean guarded;
    private final Fill<V> fill;

    Reservation(@Nullable Entry<V> present, boolean guarded, Fill<V> fill) {
        this.present = present;
        this.guarded = guarded;
        this.fill = fill;
    }

    /** A value that another one has filled meanwhile; then there is no need to load. */
    public @Nullable Entry<V> present() {
        return present;
    }

    /** Whether the key was invalidated so shortly ago that the load must not read a replica. */
    public boolean guarded() {
        return guarded;
    }

    /** Offers the value loaded after the reservation was made; false if it was not kept. Tells no other node. */
    public boolean fill(@Nullable V value) {
        return fill.offer(value);
    }
}
