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

    /**
     * Whether it reads on the thread that calls it, so that {@link LoadGuard#fresh} reaches what it reads. What a loader that
     * does not has read soon after an invalidation goes to the caller alone and is kept nowhere.
     */
    default boolean readsOnItsThread() {
        return true;
    }
}
