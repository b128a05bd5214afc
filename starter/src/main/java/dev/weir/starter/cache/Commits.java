package dev.weir.starter.cache;

import dev.weir.core.cache.LayeredCache;
import org.jspecify.annotations.Nullable;

/** What the surrounding transaction, if there is one, means for the caches. */
interface Commits {

    /** What the present transaction has put off; null where it has put off nothing or there is none. */
    @Nullable
    Deferred deferred();

    /** The same, begun where there is a transaction whose end can be waited for; null where there is none. */
    @Nullable
    Deferred begin();

    /**
     * Whether what the caller reads may be kept only after the commit: it may contain what the transaction itself has
     * written.
     */
    boolean mayHaveWritten();

    /** Whether what the caller reads may be older than the moment it asked, by a snapshot taken at the beginning. */
    boolean readsSnapshot();

    /** Work to do at the end of one transaction. */
    interface Deferred {

        void evict(LayeredCache<Object, Object> cache, Object key);

        void clear(LayeredCache<Object, Object> cache);

        /** After the evictions, if the transaction commits. */
        void fill(Runnable fill);

        /** Whether the transaction will evict this key, so that the caches must not answer in it. */
        boolean evicts(LayeredCache<Object, Object> cache, Object key);
    }

    /** Without Spring's transactions. */
    static Commits none() {
        return new Commits() {
            @Override
            public @Nullable Deferred deferred() {
                return null;
            }

            @Override
            public @Nullable Deferred begin() {
                return null;
            }

            @Override
            public boolean mayHaveWritten() {
                return false;
            }

            @Override
            public boolean readsSnapshot() {
                return false;
            }
        };
    }
}
