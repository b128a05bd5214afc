package dev.weir.core.express;

import org.jspecify.annotations.Nullable;

/**
 * One cached value with a place for what was computed from it. The value does not change as long as the entry lives; a
 * new value is a new entry, so that bytes encoded from the old one cannot outlive it. Safe for any thread.
 */
public interface HotEntry<V> {

    /** The value. */
    V value();

    /** What was last {@link #attach attached}, or null. Does not block. */
    @Nullable
    Object attachment();

    /** Keeps an object with this entry, in place of what was there. Of two racing calls either may win. */
    void attach(Object attachment);
}
