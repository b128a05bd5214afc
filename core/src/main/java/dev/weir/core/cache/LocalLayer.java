package dev.weir.core.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One cache's values in this process. An entry answers while its token is valid, its time is not up and this node may still
 * be sure to have heard of every invalidation. Nothing here waits, but for a moment of Caffeine's bookkeeping.
 *
 * <p>Entries carry their own times, so one reading of the clock serves expiry, refresh and trust.
 *
 * @param <K> the keys
 * @param <V> the values
 */
final class LocalLayer<K, V> {
    private final CacheConfig config;
    private final Stamps stamps;
    private final Trust trust;
    private final CacheCounters counters;
    private final RandomGenerator random;
    private final BooleanSupplier underPressure;
    private final Cache<K, Entry<V>> entries;
    private final long withoutRedisNanos;
    private final long staleOnPressureNanos;
    private final Upkeep upkeep;

    /** @param underPressure whether values past their time may answer for as long as the cache's settings say */
    LocalLayer(Line line, Trust trust, RandomGenerator random, BooleanSupplier underPressure, long nowNanos) {
        this.config = line.config();
        this.stamps = line.stamps();
        this.counters = line.counters();
        this.trust = trust;
        this.random = random;
        this.underPressure = underPressure;
        this.upkeep = new Upkeep(nowNanos);
        this.withoutRedisNanos = config.strict() ? 0 : config.ttlWithoutRedis().toNanos();
        this.staleOnPressureNanos = config.staleOnPressureFor().toNanos();
        this.entries = Caffeine.newBuilder()
                .maximumSize(config.maxEntries())
                .executor(upkeep)
                .evictionListener((@Nullable Object key, @Nullable Object entry, RemovalCause cause) ->
                        counters.evictionsBySize.increment())
                .build();
    }

    /** The entry of a key if it may answer now. */
    @Nullable
    Entry<V> answering(K key, long nowNanos) {
        Entry<V> entry = entries.getIfPresent(key);
        upkeep.runIfDue(nowNanos);
        return entry != null && answers(entry, nowNanos) ? entry : null;
    }

    /** The entry of a key if it may answer although its time is up, because the loader failed. */
    @Nullable
    Entry<V> staleOnError(K key, long nowNanos) {
        Entry<V> old = entries.getIfPresent(key);
        if (old == null
                || !stamps.valid(old.token())
                || !believed(old.freshAsOfNanos(), nowNanos)
                || nowNanos - old.expiresAtNanos() - config.staleOnErrorFor().toNanos() >= 0) {
            return null;
        }
        counters.staleOnError.increment();
        return old;
    }

    /** Whether what was current then may still be relied on, if no invalidation of it has arrived. */
    boolean believed(long freshAsOfNanos, long nowNanos) {
        return nowNanos - trust.trustedUntilNanos() < 0 || nowNanos - freshAsOfNanos < withoutRedisNanos;
    }

    /** How old a value may be while the connection to the other nodes is not proven. */
    long withoutRedisNanos() {
        return withoutRedisNanos;
    }

    /** An entry with its times, not kept. */
    Entry<V> entry(@Nullable V value, Token token, long id, long freshAsOfNanos) {
        double share = 1 - config.ttlJitter() * random.nextDouble();
        Duration ttl = value == null ? config.negativeTtl() : config.ttl();
        long refresh = config.refreshAfter().isZero()
                ? Long.MAX_VALUE / 2
                : config.refreshAfter().toNanos();
        return new Entry<>(
                value,
                token,
                id,
                freshAsOfNanos,
                freshAsOfNanos + (long) (ttl.toNanos() * share),
                freshAsOfNanos + (long) (refresh * share));
    }

    /** Puts the entry in place unless its token has become worthless; hands it back either way. */
    Entry<V> keep(K key, Entry<V> entry) {
        if (entry.value() == null && config.negativeTtl().isZero()) {
            return entry;
        }
        Entry<V> there = entries.asMap().compute(key, (same, old) -> stamps.valid(entry.token()) ? entry : old);
        upkeep.run();
        if (!entry.equals(there)) {
            counters.fillsRefused.increment();
        }
        return entry;
    }

    void clear() {
        entries.invalidateAll();
        upkeep.run();
    }

    /** Some of them may be expired. */
    long size() {
        return entries.estimatedSize();
    }

    /** Frees the memory of entries that cannot answer any more. */
    void sweep(long nowNanos) {
        entries.asMap().values().removeIf(entry -> !stamps.valid(entry.token()) || beyondUse(entry, nowNanos));
        upkeep.run();
    }

    private boolean answers(Entry<V> entry, long nowNanos) {
        return stamps.valid(entry.token())
                && believed(entry.freshAsOfNanos(), nowNanos)
                && (nowNanos - entry.expiresAtNanos() < 0 || answersUnderPressure(entry, nowNanos));
    }

    private boolean answersUnderPressure(Entry<V> entry, long nowNanos) {
        if (nowNanos - entry.expiresAtNanos() - staleOnPressureNanos >= 0 || !underPressure.getAsBoolean()) {
            return false;
        }
        counters.staleOnPressure.increment();
        return true;
    }

    private boolean beyondUse(Entry<V> entry, long nowNanos) {
        long longest = Math.max(config.staleOnErrorFor().toNanos(), staleOnPressureNanos);
        return nowNanos - entry.expiresAtNanos() - longest >= 0;
    }
}
