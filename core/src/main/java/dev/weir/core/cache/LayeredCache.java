package dev.weir.core.cache;

import dev.weir.core.time.NanoClock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A cache of three layers: this process, Redis, the caller's loader. Made by {@link LayeredCaches}. Any thread may call
 * it.
 *
 * <p>A hit in the process waits for nobody. Everything else may wait for Redis, at most the command timeout per command,
 * and for the loader. No method throws because of Redis.
 *
 * <p>The order of a read: take a token, look here, look in Redis, acquire the right to fill in Redis, load, fill Redis if the right still
 * stands, fill the process if the token does. The order of an eviction: drop here, leave a tombstone in Redis and tell
 * the others in one step, drop here again. So a value that was read before an eviction can be kept nowhere after it.
 *
 * @param <K> the keys; equal keys have equal names by the {@link KeyEncoder}
 * @param <V> the values; treated as immutable
 */
public final class LayeredCache<K, V> {
    private final CacheConfig config;
    private final KeyEncoder<? super K> names;
    private final NanoClock clock;
    private final Line line;
    private final Trust trust;
    private final CacheCounters counters;
    private final LocalLayer<K, V> local;
    private final @Nullable SharedLayer<V> shared;
    private final Loading<K, V> loading;
    private final @Nullable Evictions others;
    private final long boundNanos;

    /**
     * @param shared null where there is no Redis
     * @param others null where there are no other nodes
     */
    LayeredCache(
            CachesConfig common,
            KeyEncoder<? super K> names,
            Line line,
            Trust trust,
            LocalLayer<K, V> local,
            @Nullable SharedLayer<V> shared,
            Loading<K, V> loading,
            @Nullable Evictions others,
            NanoClock clock) {
        this.config = line.config();
        this.names = names;
        this.line = line;
        this.trust = trust;
        this.counters = line.counters();
        this.local = local;
        this.shared = shared;
        this.loading = loading;
        this.others = others;
        this.clock = clock;
        this.boundNanos = common.boundNanos();
    }

    /** The settings it was made with. */
    public CacheConfig config() {
        return config;
    }

    /**
     * The entry of a key if this process may answer with it, else null. Allocates nothing, asks nobody, and waits for nothing
     * but, now and then, some microseconds of bookkeeping. Counts a hit but no miss, for whoever misses goes on to ask
     * otherwise.
     */
    public @Nullable Entry<V> peek(K key) {
        Entry<V> entry = local.answering(key, clock.nanoTime());
        if (entry != null) {
            counters.localHits.increment();
        }
        return entry;
    }

    /** The entry of a key from this process or from Redis, else null. */
    public @Nullable Entry<V> find(K key) {
        long now = clock.nanoTime();
        Entry<V> here = local.answering(key, now);
        if (here != null) {
            counters.localHits.increment();
            return here;
        }
        counters.localMisses.increment();
        return loading.find(key, now);
    }

    /**
     * The value of a key, loaded if neither this process nor Redis has it. Callers of one key on this node share a load
     * that began no earlier than they may rely on.
     *
     * @return null if the loader, now or lately, returned null
     * @throws LoadFailedException if the loader throws and nothing stale may be answered
     */
    public @Nullable V get(K key, Loader<? super K, ? extends V> loader) {
        long now = clock.nanoTime();
        Entry<V> here = local.answering(key, now);
        if (here != null) {
            counters.localHits.increment();
            if (now - here.refreshAtNanos() >= 0) {
                loading.refresh(key, here, loader);
            }
            return here.value();
        }
        counters.localMisses.increment();
        return loading.get(key, loader, now).value();
    }

    /**
     * Reserves the right to keep a value that the caller loads itself, for callers that cannot hand over their loader.
     * Loads that began before an invalidation are refused by it as those of {@link #get} are.
     */
    public Reservation<V> reserve(K key) {
        return loading.reserve(key);
    }

    /**
     * Gives a value that the caller has just committed. It is written to Redis, and every process drops its own. If the
     * key was evicted or put within the guard time, nobody can tell which value is newer, and this is an eviction.
     */
    public Eviction put(K key, @Nullable V value) {
        counters.puts.increment();
        String name = names.encode(key);
        if (shared == null) {
            return putHere(key, name, value);
        }
        if (value == null && config.negativeTtl().isZero()) {
            return evict(key);
        }
        line.invalidate(name, clock.nanoTime());
        Remote.PutReply reply = config.strict() ? null : shared.put(name, value, clock.nanoTime());
        line.invalidate(name, clock.nanoTime());
        if (reply == null) {
            counters.putsRefused.increment();
            return evictNamed(List.of(name));
        }
        if (!reply.stored()) {
            counters.putsRefused.increment();
        }
        return Eviction.DELIVERED;
    }

    /** Drops a key everywhere. Call it after the commit of what changed the value. */
    public Eviction evict(K key) {
        return evictAll(List.of(key));
    }

    /** Drops several keys in one step. */
    public Eviction evictAll(Collection<? extends K> keys) {
        counters.evictions.add(keys.size());
        return evictNamed(keys.stream().map(key -> names.encode(key)).toList());
    }

    /** Drops the whole cache everywhere. Values in Redis become unreadable at once and go when their time is up. */
    public Eviction clear() {
        counters.evictions.increment();
        line.drop(clock.nanoTime());
        local.clear();
        if (others == null) {
            return Eviction.DELIVERED;
        }
        Eviction outcome = others.all();
        line.drop(clock.nanoTime());
        return outcome;
    }

    /** What it has counted. */
    public CacheStats stats() {
        long now = clock.nanoTime();
        return new CacheStats(
                counters.localHits.sum(),
                counters.localMisses.sum(),
                counters.sharedHits.sum(),
                counters.sharedMisses.sum(),
                counters.loads.sum(),
                counters.loadFailures.sum(),
                counters.puts.sum(),
                counters.putsRefused.sum(),
                counters.evictions.sum(),
                counters.evictionsDeferred.sum(),
                counters.evictionsBySize.sum(),
                counters.fillsRefused.sum(),
                counters.staleOnError.sum(),
                counters.staleOnPressure.sum(),
                counters.refreshes.sum(),
                counters.drops.sum(),
                counters.sharedErrors.sum(),
                local.size(),
                line.pending().size(),
                longestStaleness(now));
    }

    /** Frees the memory of entries that cannot answer any more. */
    void sweep() {
        local.sweep(clock.nanoTime());
    }

    private Eviction putHere(K key, String name, @Nullable V value) {
        long now = clock.nanoTime();
        line.invalidate(name, now);
        Token token = line.stamps().take(line.stamps().stripe(name));
        local.keep(key, local.entry(value, token, 0, now));
        return Eviction.DELIVERED;
    }

    private Eviction evictNamed(List<String> keys) {
        if (keys.isEmpty()) {
            return Eviction.DELIVERED;
        }
        invalidateHere(keys);
        if (others == null) {
            return Eviction.DELIVERED;
        }
        Eviction outcome = others.keys(keys);
        invalidateHere(keys);
        return outcome;
    }

    private void invalidateHere(List<String> keys) {
        long now = clock.nanoTime();
        keys.forEach(key -> line.invalidate(key, now));
    }

    private Duration longestStaleness(long nowNanos) {
        if (others == null) {
            return Duration.ZERO;
        }
        long provenAgo = nowNanos - (trust.trustedUntilNanos() - boundNanos);
        long here = trust.trusted(nowNanos) ? provenAgo : local.withoutRedisNanos();
        return Duration.ofNanos(Math.max(here, line.pending().deferredForNanos(nowNanos)));
    }
}
