package dev.weir.core.cache;

import org.jspecify.annotations.Nullable;

/**
 * The layer below the caches, usually a query.
 *
 * @param <K> the keys
 * @param <V> the values
 */
@FunctionalInterface
public interface Loader<K, V> {

    /** The value of a key, or null if there is none. Called without a lock, on the thread of a caller or of a refresh. */
    @Nullable
    V load(K key) throws Exception;
}
