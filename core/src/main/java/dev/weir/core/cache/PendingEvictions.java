package dev.weir.core.cache;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Evictions of one cache on their way to Redis. While one batch is under way the next one gathers, each key once, so a
 * storm of evictions costs one command per round trip. What fails is kept and sent again. More keys than the limit become
 * one invalidation of the whole cache. Any thread may call it; guarded by its lock.
 */
final class PendingEvictions {

    /** How a batch ended. */
    sealed interface Result {
        /** In Redis and published under this sequence number. */
        record Delivered(long sequence) implements Result {}

        /** Kept, to be tried again. */
        record Deferred() implements Result {}
    }

    /** What is sent in one command. All callers of a batch share its result. */
    static final class Batch {
        private final Set<String> keys = new LinkedHashSet<>();
        private final CompletableFuture<Result> result = new CompletableFuture<>();
        private boolean all;

        List<String> keys() {
            return new ArrayList<>(keys);
        }

        boolean all() {
            return all;
        }

        CompletableFuture<Result> result() {
            return result;
        }

        private boolean isEmpty() {
            return size() == 0;
        }

        /** The whole cache counts as one. */
        private int size() {
            return all ? 1 : keys.size();
        }

        private boolean holds(String key) {
            return all || keys.contains(key);
        }
    }

    private final int maxKeys;
    private Batch gathering = new Batch();
    private @Nullable Batch underWay;
    private long deferredSinceNanos;
    private boolean hasDeferred;
    private volatile boolean idle = true;

    PendingEvictions(int maxKeys) {
        this.maxKeys = maxKeys;
    }

    synchronized CompletableFuture<Result> add(Collection<String> keys) {
        idle = false;
        gather(keys);
        return gathering.result;
    }

    synchronized CompletableFuture<Result> addAll() {
        idle = false;
        gatherAll();
        return gathering.result;
    }

    /** The next batch, unless one is under way or none has gathered. */
    synchronized @Nullable Batch take() {
        if (underWay != null || gathering.isEmpty()) {
            return null;
        }
        underWay = gathering;
        gathering = new Batch();
        return underWay;
    }

    synchronized void delivered(Batch batch) {
        underWay = null;
        hasDeferred = false;
        idle = gathering.isEmpty();
    }

    synchronized void failed(Batch batch, long nowNanos) {
        underWay = null;
        markDeferred(nowNanos);
        if (batch.all) {
            gatherAll();
        } else {
            gather(batch.keys);
        }
    }

    /** What has gathered stays for a retry; those who wait for it are handed back and need not wait for that. */
    synchronized @Nullable CompletableFuture<Result> detachWaiting(long nowNanos) {
        if (gathering.isEmpty()) {
            return null;
        }
        markDeferred(nowNanos);
        Batch next = new Batch();
        next.all = gathering.all;
        next.keys.addAll(gathering.keys);
        CompletableFuture<Result> waiting = gathering.result;
        gathering = next;
        return waiting;
    }

    /** Whether Redis may still hold an old value of this key because of us. */
    boolean holds(String key) {
        if (idle) {
            return false;
        }
        synchronized (this) {
            return gathering.holds(key) || (underWay != null && underWay.holds(key));
        }
    }

    /** Of keys that Redis does not know of yet, as far as is known. */
    synchronized int size() {
        return gathering.size() + (underWay == null ? 0 : underWay.size());
    }

    /** For how long the oldest one has failed to be delivered; 0 if none has. */
    synchronized long deferredForNanos(long nowNanos) {
        return hasDeferred ? nowNanos - deferredSinceNanos : 0;
    }

    private void markDeferred(long nowNanos) {
        if (!hasDeferred) {
            hasDeferred = true;
            deferredSinceNanos = nowNanos;
        }
    }

    private void gather(Collection<String> keys) {
        if (gathering.all) {
            return;
        }
        gathering.keys.addAll(keys);
        if (gathering.keys.size() > maxKeys) {
            gatherAll();
        }
    }

    private void gatherAll() {
        gathering.all = true;
        gathering.keys.clear();
    }
}
