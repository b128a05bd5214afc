package dev.weir.starter.cache;

import dev.weir.core.cache.Entry;
import dev.weir.core.cache.LayeredCache;
import dev.weir.core.cache.LoadFailedException;
import dev.weir.core.cache.Loader;
import dev.weir.core.cache.Reservation;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.Cache;
import org.springframework.cache.support.SimpleValueWrapper;

/**
 * A layered cache as Spring's. In a transaction evictions wait for the commit, puts become evictions then, what was read is kept
 * only then, and keys to be evicted are not answered from the caches.
 */
final class WeirCache implements Cache {

    private final LayeredCache<Object, Object> cache;
    private final Commits commits;
    private final BooleanSupplier replicas;
    private final Executor executor;
    private final boolean refreshesAhead;

    /**
     * @param replicas whether reads outside the primary scope may read replicas
     * @param executor where asynchronous reads wait
     */
    WeirCache(LayeredCache<Object, Object> cache, Commits commits, BooleanSupplier replicas, Executor executor) {
        this.cache = cache;
        this.commits = commits;
        this.replicas = replicas;
        this.executor = executor;
        refreshesAhead = !cache.config().refreshAfter().isZero();
    }

    @Override
    public String getName() {
        return cache.config().name();
    }

    @Override
    public LayeredCache<Object, Object> getNativeCache() {
        return cache;
    }

    @Override
    public @Nullable ValueWrapper get(Object key) {
        if (evictedHere(key)) {
            return null;
        }
        Entry<Object> entry = cache.find(key);
        if (entry == null) {
            entry = reserve(key);
        }
        return entry == null ? null : new SimpleValueWrapper(entry.value());
    }

    @Override
    public <T> @Nullable T get(Object key, @Nullable Class<T> type) {
        ValueWrapper found = get(key);
        Object value = found == null ? null : found.get();
        if (value != null && type != null && !type.isInstance(value)) {
            throw new IllegalStateException("The value of key " + key + " in cache " + getName() + " is of class "
                    + value.getClass().getName() + ", not of " + type.getName() + ". Ask for its own class.");
        }
        return cast(value);
    }

    @Override
    public <T> @Nullable T get(Object key, Callable<T> valueLoader) {
        // A peek is the cheaper hit, but only the cache's own read knows the loader to refresh ahead with.
        Entry<Object> local = commits.deferred() == null && !refreshesAhead ? cache.peek(key) : null;
        if (local != null) {
            return cast(local.value());
        }
        if (evictedHere(key) || commits.mayHaveWritten() || commits.readsSnapshot()) {
            return getInTransaction(key, valueLoader);
        }
        try {
            return cast(cache.get(key, asked -> valueLoader.call()));
        } catch (LoadFailedException failed) {
            throw new ValueRetrievalException(key, valueLoader, failed.getCause() == null ? failed : failed.getCause());
        }
    }

    /**
     * Refused: whoever misses here puts the value later, from another thread, and nothing tells that put from one of a newer
     * value.
     */
    @Override
    public CompletableFuture<?> retrieve(Object key) {
        throw new UnsupportedOperationException("Cache " + getName()
                + " was asked for a value that is to be put later: sync of @Cacheable must be " + LateValues.WHY
                + ". Set sync = true, or use retrieve(key, loader).");
    }

    /** In a writing transaction what the loader reads goes to the caller alone. */
    @Override
    public <T> CompletableFuture<T> retrieve(Object key, Supplier<CompletableFuture<T>> valueLoader) {
        ValueWrapper found = local(key);
        if (found != null) {
            return CompletableFuture.completedFuture(cast(found.get()));
        }
        if (evictedHere(key) || commits.mayHaveWritten() || commits.readsSnapshot()) {
            return valueLoader.get();
        }
        return CompletableFuture.supplyAsync(() -> loadLate(key, valueLoader), executor);
    }

    private <T> @Nullable T loadLate(Object key, Supplier<CompletableFuture<T>> valueLoader) {
        try {
            return cast(cache.get(key, new LateLoader<>(valueLoader, replicas)));
        } catch (LoadFailedException failed) {
            throw new CompletionException(cause(failed));
        }
    }

    /** The scope for the primary ends with the thread, and what is read may come on another one. */
    private record LateLoader<T>(Supplier<CompletableFuture<T>> values, BooleanSupplier replicas)
            implements Loader<Object, Object> {

        @Override
        public @Nullable Object load(Object key) throws Exception {
            return values.get().get();
        }

        /** Where there are no replicas there is nothing to keep it from. */
        @Override
        public boolean readsOnItsThread() {
            return !replicas.getAsBoolean();
        }
    }

    private static Throwable cause(LoadFailedException failed) {
        Throwable cause = failed.getCause() == null ? failed : failed.getCause();
        return cause instanceof ExecutionException late && late.getCause() != null ? late.getCause() : cause;
    }

    @Override
    public void put(Object key, @Nullable Object value) {
        MissedReads.Found found = MissedReads.take(cache, key, System.nanoTime());
        Commits.Deferred transaction = commits.mayHaveWritten() ? commits.begin() : null;
        switch (found) {
            case MissedReads.Missed missed -> fill(missed, value, transaction);
            // Either the fill of a load that took too long, or a put. An eviction is right for both.
            case MissedReads.Lost lost -> evict(key, transaction);
            case MissedReads.None none when transaction != null -> transaction.evict(cache, key);
            case MissedReads.None none -> cache.put(key, value);
        }
    }

    @Override
    public void evict(Object key) {
        evict(key, commits.begin());
    }

    private void evict(Object key, Commits.@Nullable Deferred transaction) {
        if (transaction == null) {
            cache.evict(key);
        } else {
            transaction.evict(cache, key);
        }
    }

    /** At once, and again after the commit. */
    @Override
    public boolean evictIfPresent(Object key) {
        boolean present = cache.peek(key) != null;
        cache.evict(key);
        Commits.Deferred transaction = commits.begin();
        if (transaction != null) {
            transaction.evict(cache, key);
        }
        return present;
    }

    @Override
    public void clear() {
        Commits.Deferred transaction = commits.begin();
        if (transaction == null) {
            cache.clear();
        } else {
            transaction.clear(cache);
        }
    }

    /** At once, and again after the commit. */
    @Override
    public boolean invalidate() {
        boolean present = cache.stats().entries() > 0;
        cache.clear();
        Commits.Deferred transaction = commits.begin();
        if (transaction != null) {
            transaction.clear(cache);
        }
        return present;
    }

    private @Nullable Entry<Object> reserve(Object key) {
        Reservation<Object> reservation = cache.reserve(key);
        boolean fillable = !commits.readsSnapshot() && !(reservation.guarded() && replicas.getAsBoolean());
        if (reservation.present() == null) {
            MissedReads.add(cache, key, new MissedReads.Missed(reservation, fillable, System.nanoTime()));
        }
        return reservation.present();
    }

    private static void fill(
            MissedReads.Missed missed, @Nullable Object value, Commits.@Nullable Deferred transaction) {
        if (!missed.fillable()) {
            return;
        }
        if (transaction == null) {
            missed.reservation().fill(value);
        } else {
            transaction.fill(() -> missed.reservation().fill(value));
        }
    }

    private <T> @Nullable T getInTransaction(Object key, Callable<T> valueLoader) {
        ValueWrapper found = get(key);
        if (found != null) {
            return cast(found.get());
        }
        T value;
        try {
            value = valueLoader.call();
        } catch (Exception failed) {
            throw new ValueRetrievalException(key, valueLoader, failed);
        }
        if (MissedReads.take(cache, key, System.nanoTime()) instanceof MissedReads.Missed missed) {
            fill(missed, value, commits.begin());
        }
        return value;
    }

    private @Nullable ValueWrapper local(Object key) {
        return evictedHere(key) ? null : wrapped(cache.peek(key));
    }

    /** Whether the transaction at work will evict the key, so that no cache may answer in it. */
    private boolean evictedHere(Object key) {
        Commits.Deferred deferred = commits.deferred();
        return deferred != null && deferred.evicts(cache, key);
    }

    private static @Nullable ValueWrapper wrapped(@Nullable Entry<Object> entry) {
        return entry == null ? null : new SimpleValueWrapper(entry.value());
    }

    @SuppressWarnings({"unchecked", "NullAway", "TypeParameterUnusedInFormals"
    }) // Spring's contract leaves the type, and null, to the caller
    private static <T> T cast(@Nullable Object value) {
        return (T) value;
    }
}
