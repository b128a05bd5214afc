package dev.weir.starter.cache;

import dev.weir.core.cache.LayeredCache;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Spring's transactions. Evictions go out after the commit, before other callbacks that might read; also when nobody knows
 * whether it was one. None of it can fail, so none reaches the caller of commit.
 */
final class TransactionCommits implements Commits {

    private static final Logger LOG = LoggerFactory.getLogger(TransactionCommits.class);
    private static final Object KEY = TransactionCommits.class;

    @Override
    public @Nullable Deferred deferred() {
        return (Deferred) TransactionSynchronizationManager.getResource(KEY);
    }

    @Override
    public @Nullable Deferred begin() {
        Deferred there = deferred();
        if (there != null) {
            return there;
        }
        if (!TransactionSynchronizationManager.isActualTransactionActive()
                || !TransactionSynchronizationManager.isSynchronizationActive()) {
            return null;
        }
        AtCommit made = new AtCommit();
        TransactionSynchronizationManager.bindResource(KEY, made);
        TransactionSynchronizationManager.registerSynchronization(made);
        return made;
    }

    @Override
    public boolean mayHaveWritten() {
        return TransactionSynchronizationManager.isActualTransactionActive()
                && !TransactionSynchronizationManager.isCurrentTransactionReadOnly();
    }

    @Override
    public boolean readsSnapshot() {
        Integer isolation = TransactionSynchronizationManager.getCurrentTransactionIsolationLevel();
        return isolation != null
                && isolation >= TransactionDefinition.ISOLATION_REPEATABLE_READ
                && TransactionSynchronizationManager.isActualTransactionActive();
    }

    private static final class AtCommit implements Deferred, TransactionSynchronization {
        private final Map<LayeredCache<Object, Object>, Set<Object>> evictions = new LinkedHashMap<>();
        private final Set<LayeredCache<Object, Object>> clears = new LinkedHashSet<>();
        private final List<Runnable> fills = new ArrayList<>();
        private boolean bound = true;
        private boolean done;

        @Override
        public void evict(LayeredCache<Object, Object> cache, Object key) {
            evictions.computeIfAbsent(cache, none -> new LinkedHashSet<>()).add(key);
        }

        @Override
        public void clear(LayeredCache<Object, Object> cache) {
            clears.add(cache);
        }

        @Override
        public void fill(Runnable fill) {
            fills.add(fill);
        }

        @Override
        public boolean evicts(LayeredCache<Object, Object> cache, Object key) {
            return clears.contains(cache)
                    || evictions.getOrDefault(cache, Set.of()).contains(key);
        }

        @Override
        public int getOrder() {
            return Ordered.HIGHEST_PRECEDENCE;
        }

        @Override
        public void suspend() {
            if (bound) {
                TransactionSynchronizationManager.unbindResource(KEY);
            }
        }

        @Override
        public void resume() {
            if (bound) {
                TransactionSynchronizationManager.bindResource(KEY, this);
            }
        }

        @Override
        public void afterCommit() {
            // What callbacks of others read or evict after this one is no work of this transaction any more.
            release();
            evictAll();
            fills.forEach(Runnable::run);
        }

        /** Not done before where the outcome is unknown, or where a callback after the commit has evicted or failed. */
        @Override
        public void afterCompletion(int status) {
            release();
            if (status != STATUS_ROLLED_BACK && !done) {
                evictAll();
            }
        }

        private void release() {
            if (bound) {
                bound = false;
                TransactionSynchronizationManager.unbindResourceIfPossible(KEY);
            }
        }

        private void evictAll() {
            done = true;
            clears.forEach(LayeredCache::clear);
            evictions.forEach((cache, keys) -> {
                if (!clears.contains(cache)) {
                    evictAll(cache, keys);
                }
            });
        }

        /** A key that cannot be named must neither fail the caller of commit nor keep the others from going. */
        private static void evictAll(LayeredCache<Object, Object> cache, Set<Object> keys) {
            try {
                cache.evictAll(keys);
            } catch (RuntimeException unnamed) {
                LOG.warn(
                        "Dropped cache {} whole, for a key to evict has no name",
                        cache.config().name(),
                        unnamed);
                cache.clear();
            }
        }
    }
}
