package dev.weir.core.express;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.weir.core.time.NanoClock;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Entries of one JVM, in a bounded Caffeine cache; for services that use the express lane without Weir's layered cache.
 * A value is loaded on a virtual thread of its own, once for all callers that wait for it.
 */
public final class CaffeineHotEntries<K, V> implements HotEntries<K, V> {

    /** Finds the value of a key. */
    @FunctionalInterface
    public interface Loader<K, V> {
        /** The value, or null where it does not exist. May block. */
        @Nullable
        V load(K key) throws Exception;
    }

    private static final Executor VIRTUAL =
            task -> Thread.ofVirtual().name("weir-express-load").start(task);

    private final AsyncCache<K, AttachableEntry<V>> entries;
    private final Loader<? super K, ? extends V> loader;

    /**
     * @param maximumEntries at least 1; beyond it the least useful entry goes
     * @param timeToLive how long a loaded value is served; positive
     */
    public CaffeineHotEntries(long maximumEntries, Duration timeToLive, Loader<? super K, ? extends V> loader) {
        this(maximumEntries, timeToLive, loader, NanoClock.system());
    }

    CaffeineHotEntries(
            long maximumEntries, Duration timeToLive, Loader<? super K, ? extends V> loader, NanoClock clock) {
        if (maximumEntries < 1) {
            throw new IllegalArgumentException(
                    "The express entries can hold " + maximumEntries + " values; give at least 1.");
        }
        if (timeToLive.isNegative() || timeToLive.isZero()) {
            throw new IllegalArgumentException(
                    "The express entries live for " + timeToLive + "; give a positive duration, such as 5s.");
        }
        this.loader = loader;
        Ticker ticker = clock::nanoTime;
        entries = Caffeine.newBuilder()
                .maximumSize(maximumEntries)
                .expireAfterWrite(timeToLive)
                .ticker(ticker)
                .executor(VIRTUAL)
                .buildAsync();
    }

    @Override
    public @Nullable HotEntry<V> peek(K key) {
        CompletableFuture<AttachableEntry<V>> loaded = entries.getIfPresent(key);
        return loaded == null || !loaded.isDone() || loaded.isCompletedExceptionally() ? null : loaded.getNow(null);
    }

    @Override
    public @Nullable HotEntry<V> load(K key) throws Exception {
        try {
            return entries.get(key, this::loading).get();
        } catch (CancellationException | ExecutionException failed) {
            throw reason(failed);
        }
    }

    /** What the loader threw, however deep the future has wrapped it. */
    private static Exception reason(Exception failed) {
        for (Throwable each = failed; each != null; each = each.getCause()) {
            if (each instanceof LoadFailed load) {
                return load.reason;
            }
        }
        return failed;
    }

    /** Drops a value and the bytes encoded from it, so that the next request loads it again. */
    public void drop(K key) {
        entries.synchronous().invalidate(key);
    }

    private CompletableFuture<AttachableEntry<V>> loading(K key, Executor executor) {
        CompletableFuture<AttachableEntry<V>> loading = new CompletableFuture<>();
        executor.execute(() -> {
            try {
                complete(loading, loader.load(key));
            } catch (Exception failed) {
                loading.completeExceptionally(new LoadFailed(failed));
            } catch (Throwable broken) {
                loading.completeExceptionally(broken);
            }
        });
        return loading;
    }

    // Caffeine's contract: a null result removes the mapping, which is how a missing value is told.
    @SuppressWarnings("NullAway")
    private static <V> void complete(CompletableFuture<AttachableEntry<V>> loading, @Nullable V value) {
        loading.complete(value == null ? null : new AttachableEntry<V>(value));
    }

    /**
     * A loader's failure on its way to those who wait. Caffeine logs every failure of a load with its stack but those of this
     * kind; here each of them reaches a caller, who answers for it.
     */
    private static final class LoadFailed extends CancellationException {
        private static final long serialVersionUID = 1L;

        private final Exception reason;

        LoadFailed(Exception reason) {
            this.reason = reason;
        }
    }
}
