package dev.weir.core.cache;

import dev.weir.core.time.NanoClock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How one cache gets what the process does not have: from Redis, else from the loader, once per key and node.
 *
 * <p>The order: take a token, look in Redis, acquire the right to fill there, load, fill Redis if the right still stands,
 * fill the process if the token does.
 *
 * @param <K> the keys
 * @param <V> the values
 */
final class Loading<K, V> {
    private static final Logger LOG = LoggerFactory.getLogger(Loading.class);
    private static final long SHORTEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(25);
    private static final long LONGEST_LOAD_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final CacheConfig config;
    private final KeyEncoder<? super K> names;
    private final Line line;
    private final Stamps stamps;
    private final CacheCounters counters;
    private final LocalLayer<K, V> local;
    private final @Nullable SharedLayer<V> shared;
    private final LoadGuard guard;
    private final NanoClock clock;
    private final Waits waits;
    private final RandomGenerator random;
    private final Refreshes refreshes;
    private final Map<K, Flight<V>> flights = new ConcurrentHashMap<>();
    private volatile boolean warnedOfLease;

    Loading(
            KeyEncoder<? super K> names,
            Line line,
            LocalLayer<K, V> local,
            @Nullable SharedLayer<V> shared,
            LoadGuard guard,
            NanoClock clock,
            Waits waits,
            RandomGenerator random,
            Refreshes refreshes) {
        this.config = line.config();
        this.names = names;
        this.line = line;
        this.stamps = line.stamps();
        this.counters = line.counters();
        this.local = local;
        this.shared = shared;
        this.guard = guard;
        this.clock = clock;
        this.waits = waits;
        this.random = random;
        this.refreshes = refreshes;
    }

    /** From Redis alone. */
    @Nullable
    Entry<V> find(K key, long nowNanos) {
        if (shared == null) {
            return null;
        }
        String name = names.encode(key);
        Token token = stamps.take(stamps.stripe(name));
        return shared.read(name, nowNanos) instanceof SharedLayer.Found.Hit<V> hit
                ? keep(key, hit, token, nowNanos)
                : null;
    }

    Reservation<V> reserve(K key) {
        long now = clock.nanoTime();
        String name = names.encode(key);
        Token token = stamps.take(stamps.stripe(name));
        // Whoever reserves may never fill; with a lease for the cluster the other nodes would wait for nothing.
        SharedLayer.Right<V> right = shared == null || config.clusterLease()
                ? new SharedLayer.Right.Unavailable<>()
                : shared.acquire(name, now);
        Entry<V> present =
                right instanceof SharedLayer.Right.Present<V> found ? keep(key, found.hit(), token, now) : null;
        return new Reservation<>(
                present, guarded(right, token, now), value -> fill(key, name, token, right, value, now) != null);
    }

    /** With the loader, for a caller who arrived at this time: a load that began later, or still is current, is shared. */
    Entry<V> get(K key, Loader<? super K, ? extends V> loader, long arrivedNanos) {
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
                return local.entry(load(key, name, loader, true), mine.token(), 0, now);
            }
            // At the same reading of the clock it may have begun before.
            boolean joinable = other.startedNanos() - arrivedNanos > 0
                    || (stamps.valid(other.token()) && local.believed(other.startedNanos(), now));
            Entry<V> joined = join(key, name, other, joinable);
            if (joined != null) {
                return joined;
            }
        }
    }

    /** Begins to reload on another thread, unless the key is being loaded or there are enough refreshes under way. */
    void refresh(K key, Entry<V> old, Loader<? super K, ? extends V> loader) {
        if (flights.containsKey(key) || !refreshes.enter()) {
            return;
        }
        boolean begun = false;
        try {
            begun = begin(key, old, loader);
        } finally {
            if (!begun) {
                refreshes.leave();
            }
        }
    }

    private boolean begin(K key, Entry<V> old, Loader<? super K, ? extends V> loader) {
        String name = names.encode(key);
        Flight<V> flight = Flight.of(stamps.take(stamps.stripe(name)), clock.nanoTime(), null);
        if (flights.putIfAbsent(key, flight) != null) {
            return false;
        }
        boolean begun = false;
        try {
            refreshes.run(() -> reload(key, name, old, flight, loader));
            counters.refreshes.increment();
            begun = true;
            return true;
        } finally {
            if (!begun) {
                flights.remove(key, flight);
                flight.ended().complete(null);
            }
        }
    }

    private @Nullable Entry<V> join(K key, String name, Flight<V> other, boolean joinable) {
        try {
            @Nullable Entry<V> ended = waits.get(other.ended(), LONGEST_LOAD_NANOS);
            return joinable ? ended : null;
        } catch (ExecutionException failed) {
            return joinable ? staleOrThrow(key, name, failed.getCause() == null ? failed : failed.getCause()) : null;
        } catch (TimeoutException neverEnds) {
            flights.remove(key, other);
            return null;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new LoadFailedException(config.name(), name, interrupted);
        }
    }

    private Entry<V> staleOrThrow(K key, String name, Throwable failed) {
        Entry<V> stale = failed instanceof LoadFailedException ? local.staleOnError(key, clock.nanoTime()) : null;
        if (stale == null) {
            throw failure(name, failed);
        }
        return stale;
    }

    private Entry<V> lead(K key, String name, Flight<V> flight, Loader<? super K, ? extends V> loader) {
        try {
            Entry<V> entry = readThrough(key, name, flight, loader);
            flight.ended().complete(entry);
            return entry;
        } catch (LoadFailedException failed) {
            flight.ended().completeExceptionally(failed);
            return staleOrThrow(key, name, failed);
        } catch (RuntimeException | Error broken) {
            flight.ended().completeExceptionally(broken);
            throw broken;
        } finally {
            flights.remove(key, flight);
        }
    }

    private Entry<V> readThrough(K key, String name, Flight<V> flight, Loader<? super K, ? extends V> loader) {
        long start = flight.startedNanos();
        // A flight that ended between this caller's look and its own flight has left its value here.
        Entry<V> here = local.answering(key, start);
        if (here != null) {
            return here;
        }
        SharedLayer.Right<V> right = new SharedLayer.Right.Unavailable<>();
        if (shared != null) {
            if (shared.read(name, start) instanceof SharedLayer.Found.Hit<V> hit) {
                return keep(key, hit, flight.token(), start);
            }
            right = acquire(shared, name, start);
            if (right instanceof SharedLayer.Right.Present<V> present) {
                return keep(key, present.hit(), flight.token(), start);
            }
        }
        return loadAndKeep(key, name, flight, right, loader);
    }

    private void reload(K key, String name, Entry<V> old, Flight<V> flight, Loader<? super K, ? extends V> loader) {
        try {
            @Nullable Entry<V> made = reloaded(key, name, old, flight, loader);
            flights.remove(key, flight);
            flight.ended().complete(made);
        } catch (RuntimeException | Error failed) {
            old.postponeRefresh(clock.nanoTime(), random.nextDouble());
            flight.ended().completeExceptionally(failed);
            LOG.debug("Refresh ahead failed", failed);
        } finally {
            flights.remove(key, flight);
        }
    }

    /** Null where what could be loaded could not be kept; who waits for it loads for itself. */
    private @Nullable Entry<V> reloaded(
            K key, String name, Entry<V> old, Flight<V> flight, Loader<? super K, ? extends V> loader) {
        SharedLayer.Right<V> right = new SharedLayer.Right.Unavailable<>();
        if (shared != null) {
            if (shared.read(name, flight.startedNanos()) instanceof SharedLayer.Found.Hit<V> hit) {
                if (hit.id() != old.id()) {
                    return keep(key, hit, flight.token(), flight.startedNanos());
                }
                right = shared.rightToReplace(hit.value() == null, hit.id());
            } else {
                right = shared.acquire(name, flight.startedNanos());
            }
        }
        boolean guarded = guarded(right, flight.token(), clock.nanoTime());
        if (guarded && !canBeFresh(loader)) {
            giveUp(name, right);
            old.postponeRefresh(clock.nanoTime(), random.nextDouble());
            return null;
        }
        return loadAndKeep(key, name, flight, right, loader, guarded);
    }

    private Entry<V> loadAndKeep(
            K key, String name, Flight<V> flight, SharedLayer.Right<V> right, Loader<? super K, ? extends V> loader) {
        boolean guarded = guarded(right, flight.token(), clock.nanoTime());
        return guarded && !canBeFresh(loader)
                ? loadForCallerAlone(key, name, flight, right, loader)
                : loadAndKeep(key, name, flight, right, loader, guarded);
    }

    private boolean canBeFresh(Loader<? super K, ? extends V> loader) {
        return loader.readsOnItsThread() && guard.canBeFresh();
    }

    private Entry<V> loadAndKeep(
            K key,
            String name,
            Flight<V> flight,
            SharedLayer.Right<V> right,
            Loader<? super K, ? extends V> loader,
            boolean guarded) {
        V value = loadOrRelease(key, name, guarded, right, loader);
        Entry<V> kept = fill(key, name, flight.token(), right, value, flight.startedNanos());
        return kept == null ? local.entry(value, flight.token(), 0, flight.startedNanos()) : kept;
    }

    /** Whoever has joined goes on at once: what is about to be read may be older than they may rely on. */
    private Entry<V> loadForCallerAlone(
            K key, String name, Flight<V> flight, SharedLayer.Right<V> right, Loader<? super K, ? extends V> loader) {
        giveUp(name, right);
        flights.remove(key, flight);
        flight.ended().complete(null);
        return local.entry(load(key, name, loader, false), flight.token(), 0, flight.startedNanos());
    }

    private @Nullable V loadOrRelease(
            K key, String name, boolean guarded, SharedLayer.Right<V> right, Loader<? super K, ? extends V> loader) {
        boolean loaded = false;
        try {
            V value = load(key, name, loader, guarded);
            loaded = true;
            return value;
        } finally {
            if (!loaded) {
                giveUp(name, right);
            }
        }
    }

    private void giveUp(String name, SharedLayer.Right<V> right) {
        if (shared != null) {
            shared.release(name, right);
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
                || (config.strict() && !told && shared != null)
                || (right instanceof SharedLayer.Right.Granted<V> granted && granted.guarded())
                || (right instanceof SharedLayer.Right.Held<V> held && held.guarded());
    }

    /** Fills Redis, then this process. Null if the value is known not to be current any more. */
    private @Nullable Entry<V> fill(
            K key, String name, Token token, SharedLayer.Right<V> right, @Nullable V value, long freshAsOfNanos) {
        if (value == null && config.negativeTtl().isZero()) {
            giveUp(name, right);
            return null;
        }
        long id = 0;
        if (shared != null && right instanceof SharedLayer.Right.Granted<V> granted) {
            id = shared.newId();
            if (shared.fill(name, granted, value, id) == SharedLayer.Fill.REFUSED) {
                counters.fillsRefused.increment();
                warnOfLease(name, clock.nanoTime() - freshAsOfNanos);
                return null;
            }
        }
        return local.keep(key, local.entry(value, token, id, freshAsOfNanos));
    }

    private Entry<V> keep(K key, SharedLayer.Found.Hit<V> hit, Token token, long freshAsOfNanos) {
        return local.keep(key, local.entry(hit.value(), token, hit.id(), freshAsOfNanos));
    }

    /** A cache that keeps nothing because its loads are slower than the lease would otherwise go unnoticed. */
    private void warnOfLease(String name, long tookNanos) {
        if (!warnedOfLease && tookNanos > config.leaseFor().toNanos()) {
            warnedOfLease = true;
            LOG.warn(
                    "Cache {}: loading key {} took {} ms, longer than lease-for ({} ms), so the value is not kept. Raise"
                            + " lease-for above the slowest load.",
                    config.name(),
                    name,
                    TimeUnit.NANOSECONDS.toMillis(tookNanos),
                    config.leaseFor().toMillis());
        }
    }

    private LoadFailedException failure(String name, Throwable cause) {
        return cause instanceof LoadFailedException already
                ? already
                : new LoadFailedException(config.name(), name, cause);
    }
}
