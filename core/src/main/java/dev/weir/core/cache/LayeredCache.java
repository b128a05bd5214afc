package dev.weir.core.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import dev.weir.core.cache.PendingEvictions.Result;
import dev.weir.core.time.NanoClock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cache of three layers: this process, Redis, the caller's loader. Made by {@link LayeredCaches}. Any thread may call
 * it.
 *
 * <p>A hit in the process does not block. Everything else may wait for Redis, at most the command timeout per command,
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
    private static final Logger LOG = LoggerFactory.getLogger(LayeredCache.class);
    private static final long SHORTEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(25);
    private static final long LONGEST_LOAD_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final CacheConfig config;
    private final KeyEncoder<? super K> names;
    private final NanoClock clock;
    private final Waits waits;
    private final RandomGenerator random;
    private final LoadGuard guard;
    private final Executor refreshes;
    private final @Nullable Node node;
    private final @Nullable SharedLayer<V> shared;
    private final Line line;
    private final Stamps stamps;
    private final Trust trust;
    private final CacheCounters counters;
    private final Cache<K, Entry<V>> entries;
    private final Map<K, Flight<V>> flights = new ConcurrentHashMap<>();
    private final long withoutRedisNanos;
    private final long commandNanos;
    private final long boundNanos;

    LayeredCache(
            CachesConfig common,
            KeyEncoder<? super K> names,
            Line line,
            Trust trust,
            @Nullable Node node,
            @Nullable SharedLayer<V> shared,
            LoadGuard guard,
            NanoClock clock,
            Waits waits,
            RandomGenerator random,
            Executor refreshes) {
        this.config = line.config();
        this.names = names;
        this.line = line;
        this.stamps = line.stamps();
        this.counters = line.counters();
        this.trust = trust;
        this.node = node;
        this.shared = shared;
        this.guard = guard;
        this.clock = clock;
        this.waits = waits;
        this.random = random;
        this.refreshes = refreshes;
        this.withoutRedisNanos = config.strict() ? 0 : config.ttlWithoutRedis().toNanos();
        this.commandNanos = 2 * common.commandTimeout().toNanos();
        this.boundNanos = common.boundNanos();
        // Entries carry their own times: one reading of the clock then serves expiry, refresh and trust.
        this.entries = Caffeine.newBuilder()
                .maximumSize(config.maxEntries())
                .executor(Runnable::run)
                .evictionListener((@Nullable Object key, @Nullable Object entry, RemovalCause cause) ->
                        counters.evictionsBySize.increment())
                .build();
    }

    /** The settings it was made with. */
    public CacheConfig config() {
        return config;
    }

    /**
     * The entry of a key if this process may answer with it, else null. Allocates nothing, asks nobody, never blocks.
     * Counts a hit but no miss, for whoever misses goes on to ask otherwise.
     */
    public @Nullable Entry<V> peek(K key) {
        Entry<V> entry = entries.getIfPresent(key);
        if (entry == null || !answers(entry, clock.nanoTime())) {
            return null;
        }
        counters.localHits.increment();
        return entry;
    }

    /** The entry of a key from this process or from Redis, else null. */
    public @Nullable Entry<V> find(K key) {
        long now = clock.nanoTime();
        Entry<V> local = entries.getIfPresent(key);
        if (local != null && answers(local, now)) {
            counters.localHits.increment();
            return local;
        }
        counters.localMisses.increment();
        if (shared == null) {
            return null;
        }
        String name = names.encode(key);
        Token token = stamps.take(stamps.stripe(name));
        return shared.read(name, now) instanceof SharedLayer.Found.Hit<V> hit
                ? keep(key, entry(hit.value(), token, hit.id(), now))
                : null;
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
        Entry<V> local = entries.getIfPresent(key);
        if (local != null && answers(local, now)) {
            counters.localHits.increment();
            if (now - local.refreshAtNanos() >= 0) {
                refresh(key, local, loader);
            }
            return local.value();
        }
        counters.localMisses.increment();
        return miss(key, loader, now).value();
    }

    /**
     * Reserves the right to keep a value that the caller loads itself, for callers that cannot hand over their loader.
     * Loads that began before an invalidation are refused by it as those of {@link #get} are.
     */
    public Reservation<V> reserve(K key) {
        long now = clock.nanoTime();
        String name = names.encode(key);
        Token token = stamps.take(stamps.stripe(name));
        // Whoever reserves may never fill; with a lease for the cluster the other nodes would wait for nothing.
        SharedLayer.Right<V> right = shared == null || config.clusterLease()
                ? new SharedLayer.Right.Unavailable<>()
                : shared.acquire(name, now);
        Entry<V> present = right instanceof SharedLayer.Right.Present<V> found
                ? keep(key, entry(found.hit().value(), token, found.hit().id(), now))
                : null;
        return new Reservation<>(
                present, guarded(right, token, now), value -> fill(key, name, token, right, value, now) != null);
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
        entries.invalidateAll();
        if (node == null) {
            return Eviction.DELIVERED;
        }
        Eviction outcome = deliver(node, List.of(), true);
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
                counters.refreshes.sum(),
                counters.drops.sum(),
                counters.sharedErrors.sum(),
                entries.estimatedSize(),
                line.pending().size(),
                longestStaleness(now));
    }

    /** Frees the memory of entries that cannot answer any more. */
    void sweep() {
        long now = clock.nanoTime();
        entries.asMap()
                .values()
                .removeIf(entry -> !stamps.valid(entry.token())
                        || now
                                        - entry.expiresAtNanos()
                                        - config.staleOnErrorFor().toNanos()
                                >= 0);
    }

    private boolean answers(Entry<V> entry, long nowNanos) {
        return stamps.valid(entry.token())
                && nowNanos - entry.expiresAtNanos() < 0
                && believed(entry.freshAsOfNanos(), nowNanos);
    }

    /** Whether what was current then may still be relied on, if no invalidation of it has arrived. */
    private boolean believed(long freshAsOfNanos, long nowNanos) {
        return nowNanos - trust.trustedUntilNanos() < 0 || nowNanos - freshAsOfNanos < withoutRedisNanos;
    }

    private Entry<V> miss(K key, Loader<? super K, ? extends V> loader, long arrivedNanos) {
        String name = names.encode(key);
        int stripe = stamps.stripe(name);
        while (true) {
            long now = clock.nanoTime();
            Flight<V> mine = Flight.of(stamps.take(stripe), now, Thread.currentThread());
            Flight<V> other = flights.putIfAbsent(key, mine);
            if (other == null) {
                return lead(key, name, mine, loader);
            }
            if (Thread.currentThread().equals(other.owner())) {
                // A loader that asks for its own key would wait for itself.
                return entry(load(key, name, loader, true), mine.token(), 0, now);
            }
            boolean joinable = other.startedNanos() - arrivedNanos >= 0
                    || (stamps.valid(other.token()) && believed(other.startedNanos(), now));
            Entry<V> joined = join(key, name, other, joinable);
            if (joined != null) {
                return joined;
            }
        }
    }

    private @Nullable Entry<V> join(K key, String name, Flight<V> other, boolean joinable) {
        try {
            @Nullable Entry<V> ended = waits.get(other.ended(), LONGEST_LOAD_NANOS);
            return joinable ? ended : null;
        } catch (ExecutionException failed) {
            if (joinable) {
                throw failure(name, failed.getCause() == null ? failed : failed.getCause());
            }
            return null;
        } catch (TimeoutException neverEnds) {
            flights.remove(key, other);
            return null;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new LoadFailedException(config.name(), name, interrupted);
        }
    }

    private Entry<V> lead(K key, String name, Flight<V> flight, Loader<? super K, ? extends V> loader) {
        try {
            Entry<V> entry = readThrough(key, name, flight, loader);
            flight.ended().complete(entry);
            return entry;
        } catch (RuntimeException | Error failed) {
            Entry<V> stale = failed instanceof LoadFailedException ? stale(key) : null;
            if (stale != null) {
                flight.ended().complete(stale);
                return stale;
            }
            flight.ended().completeExceptionally(failed);
            throw failed;
        } finally {
            flights.remove(key, flight);
        }
    }

    private Entry<V> readThrough(K key, String name, Flight<V> flight, Loader<? super K, ? extends V> loader) {
        long start = flight.startedNanos();
        // A flight that ended between this caller's look and its own flight has left its value here.
        Entry<V> local = entries.getIfPresent(key);
        if (local != null && answers(local, start)) {
            return local;
        }
        SharedLayer.Right<V> right = new SharedLayer.Right.Unavailable<>();
        if (shared != null) {
            if (shared.read(name, start) instanceof SharedLayer.Found.Hit<V> hit) {
                return keep(key, entry(hit.value(), flight.token(), hit.id(), start));
            }
            right = acquire(shared, name, start);
            if (right instanceof SharedLayer.Right.Present<V> present) {
                return keep(
                        key,
                        entry(
                                present.hit().value(),
                                flight.token(),
                                present.hit().id(),
                                start));
            }
        }
        return loadAndKeep(key, name, flight, right, loader);
    }

    private Entry<V> loadAndKeep(
            K key, String name, Flight<V> flight, SharedLayer.Right<V> right, Loader<? super K, ? extends V> loader) {
        boolean guarded = guarded(right, flight.token(), clock.nanoTime());
        if (guarded && !guard.canBeFresh()) {
            return loadForCallerAlone(key, name, flight, right, loader);
        }
        V value = loadOrRelease(key, name, guarded, right, loader);
        Entry<V> kept = fill(key, name, flight.token(), right, value, flight.startedNanos());
        return kept == null ? entry(value, flight.token(), 0, flight.startedNanos()) : kept;
    }

    /** Whoever has joined goes on at once: what is about to be read may be older than they may rely on. */
    private Entry<V> loadForCallerAlone(
            K key, String name, Flight<V> flight, SharedLayer.Right<V> right, Loader<? super K, ? extends V> loader) {
        if (shared != null) {
            shared.release(name, right);
        }
        flights.remove(key, flight);
        flight.ended().complete(null);
        return entry(load(key, name, loader, false), flight.token(), 0, flight.startedNanos());
    }

    private @Nullable V loadOrRelease(
            K key, String name, boolean guarded, SharedLayer.Right<V> right, Loader<? super K, ? extends V> loader) {
        boolean loaded = false;
        try {
            V value = load(key, name, loader, guarded);
            loaded = true;
            return value;
        } finally {
            if (!loaded && shared != null) {
                shared.release(name, right);
            }
        }
    }

    /** With a lease for the cluster, waits for the value of whoever holds it, as long as the lease can last. */
    private SharedLayer.Right<V> acquire(SharedLayer<V> layer, String name, long start) {
        long pauseNanos = SHORTEST_PAUSE_NANOS;
        while (true) {
            SharedLayer.Right<V> right = layer.acquire(name, clock.nanoTime());
            boolean waited = clock.nanoTime() - start >= config.leaseFor().toNanos();
            if (!config.clusterLease() || !(right instanceof SharedLayer.Right.Held<V>) || waited) {
                return right;
            }
            try {
                waits.pause(pauseNanos + (long) (pauseNanos * random.nextDouble()));
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new LoadFailedException(config.name(), name, interrupted);
            }
            pauseNanos = Math.min(LONGEST_PAUSE_NANOS, 2 * pauseNanos);
        }
    }

    private @Nullable V load(K key, String name, Loader<? super K, ? extends V> loader, boolean guarded) {
        counters.loads.increment();
        try {
            return guarded ? guard.fresh(() -> loader.load(key)) : loader.load(key);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            counters.loadFailures.increment();
            throw failure(name, interrupted);
        } catch (Exception failed) {
            counters.loadFailures.increment();
            throw failure(name, failed);
        }
    }

    private boolean guarded(SharedLayer.Right<V> right, Token token, long nowNanos) {
        boolean told = right instanceof SharedLayer.Right.Granted<V> || right instanceof SharedLayer.Right.Held<V>;
        return line.guarded(token.stripe(), nowNanos)
                // Neither Redis nor, perhaps, the other nodes can tell of an invalidation.
                || (config.strict() && !told && node != null)
                || (right instanceof SharedLayer.Right.Granted<V> granted && granted.guarded())
                || (right instanceof SharedLayer.Right.Held<V> held && held.guarded());
    }

    /** Fills Redis, then this process. Null if the value is known not to be current any more. */
    private @Nullable Entry<V> fill(
            K key, String name, Token token, SharedLayer.Right<V> right, @Nullable V value, long freshAsOfNanos) {
        if (value == null && config.negativeTtl().isZero()) {
            if (shared != null) {
                shared.release(name, right);
            }
            return null;
        }
        long id = 0;
        if (shared != null && node != null && right instanceof SharedLayer.Right.Granted<V> granted) {
            id = node.newId();
            if (shared.fill(name, granted, value, id) == SharedLayer.Fill.REFUSED) {
                counters.fillsRefused.increment();
                return null;
            }
        }
        return keep(key, entry(value, token, id, freshAsOfNanos));
    }

    /** Puts the entry in place unless its token has become worthless; hands it back either way. */
    private Entry<V> keep(K key, Entry<V> entry) {
        if (entry.value() == null && config.negativeTtl().isZero()) {
            return entry;
        }
        Entry<V> there = entries.asMap().compute(key, (same, old) -> stamps.valid(entry.token()) ? entry : old);
        if (!entry.equals(there)) {
            counters.fillsRefused.increment();
        }
        return entry;
    }

    private Entry<V> entry(@Nullable V value, Token token, long id, long freshAsOfNanos) {
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

    private @Nullable Entry<V> stale(K key) {
        long now = clock.nanoTime();
        Entry<V> old = entries.getIfPresent(key);
        if (old == null
                || !stamps.valid(old.token())
                || !believed(old.freshAsOfNanos(), now)
                || now - old.expiresAtNanos() - config.staleOnErrorFor().toNanos() >= 0) {
            return null;
        }
        counters.staleOnError.increment();
        return old;
    }

    private void refresh(K key, Entry<V> old, Loader<? super K, ? extends V> loader) {
        if (flights.containsKey(key)) {
            return;
        }
        String name = names.encode(key);
        Flight<V> flight = Flight.of(stamps.take(stamps.stripe(name)), clock.nanoTime(), null);
        if (flights.putIfAbsent(key, flight) == null) {
            counters.refreshes.increment();
            try {
                refreshes.execute(() -> reload(key, name, old, flight, loader));
            } catch (RuntimeException refused) {
                flights.remove(key, flight);
                flight.ended().completeExceptionally(new LoadFailedException(config.name(), name, refused));
            }
        }
    }

    private void reload(K key, String name, Entry<V> old, Flight<V> flight, Loader<? super K, ? extends V> loader) {
        try {
            flight.ended().complete(reloaded(key, name, old, flight, loader));
        } catch (RuntimeException | Error failed) {
            flight.ended().completeExceptionally(failed);
            LOG.debug("Refresh ahead failed", failed);
        } finally {
            flights.remove(key, flight);
        }
    }

    private Entry<V> reloaded(
            K key, String name, Entry<V> old, Flight<V> flight, Loader<? super K, ? extends V> loader) {
        SharedLayer.Right<V> right = new SharedLayer.Right.Unavailable<>();
        if (shared != null) {
            if (shared.read(name, flight.startedNanos()) instanceof SharedLayer.Found.Hit<V> hit) {
                if (hit.id() != old.id()) {
                    return keep(key, entry(hit.value(), flight.token(), hit.id(), flight.startedNanos()));
                }
                right = shared.rightToReplace(hit.value() == null, hit.id());
            } else {
                right = shared.acquire(name, flight.startedNanos());
            }
        }
        return loadAndKeep(key, name, flight, right, loader);
    }

    private Eviction putHere(K key, String name, @Nullable V value) {
        long now = clock.nanoTime();
        line.invalidate(name, now);
        keep(key, entry(value, stamps.take(stamps.stripe(name)), 0, now));
        return Eviction.DELIVERED;
    }

    private Eviction evictNamed(List<String> keys) {
        if (keys.isEmpty()) {
            return Eviction.DELIVERED;
        }
        invalidateHere(keys);
        if (node == null) {
            return Eviction.DELIVERED;
        }
        Eviction outcome = deliver(node, keys, false);
        invalidateHere(keys);
        return outcome;
    }

    private void invalidateHere(List<String> keys) {
        long now = clock.nanoTime();
        keys.forEach(key -> line.invalidate(key, now));
    }

    private Eviction deliver(Node to, List<String> keys, boolean all) {
        try {
            Result result = attempt(to, keys, all);
            if (config.strict()) {
                result = untilNobodyAnswers(to, keys, all, result);
            }
            return result instanceof Result.Delivered ? Eviction.DELIVERED : Eviction.DEFERRED;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Eviction.DEFERRED;
        }
    }

    private Result attempt(Node to, List<String> keys, boolean all) throws InterruptedException {
        CompletableFuture<Result> result =
                all ? line.pending().addAll() : line.pending().add(keys);
        to.flush(line);
        try {
            // Behind the batch under way, which itself may last as long.
            return waits.get(result, 2 * commandNanos);
        } catch (ExecutionException | TimeoutException unknown) {
            return new Result.Deferred();
        }
    }

    /**
     * A node that was handed the message answers for itself; one that was not stops believing its entries within the
     * bound. If Redis cannot be reached, all nodes that cannot either stop likewise.
     */
    private Result untilNobodyAnswers(Node to, List<String> keys, boolean all, Result first)
            throws InterruptedException {
        Result result = first;
        long deadline = clock.nanoTime() + boundNanos;
        while (!(result instanceof Result.Delivered) && clock.nanoTime() - deadline < 0) {
            waits.pause(Math.max(1, Math.min(LONGEST_PAUSE_NANOS, deadline - clock.nanoTime())));
            result = attempt(to, keys, all);
        }
        if (result instanceof Result.Delivered delivered) {
            awaitHandled(to, delivered);
        }
        return result;
    }

    private void awaitHandled(Node to, Result.Delivered delivered) throws InterruptedException {
        try {
            waits.get(to.handledByAll(line, delivered), boundNanos);
        } catch (ExecutionException | TimeoutException silent) {
            LOG.debug("A node did not confirm an eviction within the bound and has stopped answering", silent);
        }
    }

    private Duration longestStaleness(long nowNanos) {
        if (node == null) {
            return Duration.ZERO;
        }
        long provenAgo = nowNanos - (trust.trustedUntilNanos() - boundNanos);
        long here = trust.trusted(nowNanos) ? provenAgo : withoutRedisNanos;
        return Duration.ofNanos(Math.max(here, line.pending().deferredForNanos(nowNanos)));
    }

    private LoadFailedException failure(String name, Throwable cause) {
        return cause instanceof LoadFailedException already
                ? already
                : new LoadFailedException(config.name(), name, cause);
    }
}
