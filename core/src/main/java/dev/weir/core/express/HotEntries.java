package dev.weir.core.express;

import org.jspecify.annotations.Nullable;

/** Where an express route finds its values: a cache in memory with a loader behind it. Safe for any thread. */
public interface HotEntries<K, V> {

    /**
     * The live entry of a key, or null where there is none in memory. Called by Tomcat's poller thread for every request
     * of the port lane: it must not block, load or throw, and should take well under a microsecond.
     */
    @Nullable
    HotEntry<V> peek(K key);

    /**
     * The entry of a key, loaded where it is not in memory; null where the value does not exist. May block; callers that
     * ask for the same key at the same time share one load.
     *
     * @throws Exception the loader's failure
     */
    @Nullable
    HotEntry<V> load(K key) throws Exception;
}
