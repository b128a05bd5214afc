package dev.weir.starter.express;

import dev.weir.core.cache.Entry;
import dev.weir.core.cache.LayeredCache;
import dev.weir.core.cache.Loader;
import dev.weir.core.express.HotEntries;
import dev.weir.core.express.HotEntry;
import org.jspecify.annotations.Nullable;

/**
 * The entries of Weir's layered cache as the source of an express route: the encoded bytes hang on the cache's own entry and
 * go with it, at an invalidation as at its end. What the cache may not answer from memory (a strict one without its
 * subscription) the port lane does not answer either.
 */
public final class LayeredHotEntries<K, V> implements HotEntries<K, V> {

    private final LayeredCache<K, V> cache;
    private final Loader<? super K, ? extends V> loader;

    /** @param loader what a miss in both layers asks */
    public LayeredHotEntries(LayeredCache<K, V> cache, Loader<? super K, ? extends V> loader) {
        this.cache = cache;
        this.loader = loader;
    }

    @Override
    public @Nullable HotEntry<V> peek(K key) {
        Entry<V> entry = cache.peek(key);
        V value = entry == null ? null : entry.value();
        return entry == null || value == null ? null : new OfCache<V>(value, entry);
    }

    /** As the cache's own get: it may block, and its failures pass through. */
    @Override
    public @Nullable HotEntry<V> load(K key) throws Exception {
        V value = cache.get(key, loader);
        if (value == null) {
            return null;
        }
        HotEntry<V> kept = peek(key);
        return kept != null ? kept : new OfCall<V>(value);
    }

    /** A view of the cache's entry. */
    private record OfCache<V>(V value, Entry<V> entry) implements HotEntry<V> {

        @Override
        public @Nullable Object attachment() {
            return entry.attachment();
        }

        @Override
        public void attach(Object made) {
            entry.attach(made);
        }
    }

    /** A value that the cache did not keep in memory: encoded for this request alone. */
    private record OfCall<V>(V value) implements HotEntry<V> {

        @Override
        public @Nullable Object attachment() {
            return null;
        }

        @Override
        public void attach(Object made) {}
    }
}
