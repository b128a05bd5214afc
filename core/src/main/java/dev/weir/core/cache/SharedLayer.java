package dev.weir.core.cache;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * One cache's values in Redis, as its reads see them. Every method waits for at most the command timeout and answers
 * "unavailable" for whatever goes wrong, at once while Redis is known to be away.
 *
 * @param <V> the values
 */
final class SharedLayer<V> {
    private static final Logger LOG = LoggerFactory.getLogger(SharedLayer.class);
    private static final byte[] NO_BYTES = {};

    /** What a read found. */
    sealed interface Found<V> {
        /** A value, or null for "there is none", and the id of its fill. */
        record Hit<V>(@Nullable V value, long id) implements Found<V> {}

        record Miss<V>() implements Found<V> {}

        record Unavailable<V>() implements Found<V> {}
    }

    /** The right to fill, or why there is none. */
    sealed interface Right<V> {
        /** The caller may replace the record of this identity. */
        record Granted<V>(SharedRecord.Identity identity, boolean guarded) implements Right<V> {}

        /** Someone has filled it meanwhile. */
        record Present<V>(Found.Hit<V> hit) implements Right<V> {}

        /** Someone else is filling it. */
        record Held<V>(boolean guarded) implements Right<V> {}

        record Unavailable<V>() implements Right<V> {}
    }

    /** What became of a value offered. */
    enum Fill {
        DONE,
        REFUSED,
        UNKNOWN
    }

    private final Node node;
    private final Line line;
    private final ValueCodec<V> codec;
    private final CacheCounters counters;
    private final Waits waits;
    private final RandomGenerator random;
    private final long timeoutNanos;
    private volatile boolean warned;

    SharedLayer(Node node, Line line, ValueCodec<V> codec, Waits waits, RandomGenerator random, CachesConfig config) {
        this.node = node;
        this.line = line;
        this.codec = codec;
        this.counters = line.counters();
        this.waits = waits;
        this.random = random;
        this.timeoutNanos = config.commandTimeout().toNanos();
    }

    /** Whether Redis may be asked about this key: not while it may hold a value that this node has evicted. */
    boolean usable(String key, long nowNanos) {
        return node.health().usable(nowNanos)
                && !line.pending().holds(key)
                && (line.epoch() != Line.UNKNOWN || !node.trust().trusted(nowNanos));
    }

    /** For a fill. */
    long newId() {
        return node.newId();
    }

    Found<V> read(String key, long nowNanos) {
        if (!usable(key, nowNanos)) {
            return new Found.Unavailable<>();
        }
        // Both are sent before either is waited for. The epoch is asked for last: if it still is that of the value, the
        // value was current when it was read.
        CompletableFuture<byte[]> bytes = node.remote().get(line.name(), key);
        CompletableFuture<@Nullable Long> epochNow = node.trust().trusted(nowNanos)
                ? CompletableFuture.completedFuture(line.epoch())
                : node.remote().epoch(line.name());
        try {
            SharedRecord found = SharedRecord.parse(await(bytes));
            Long epoch = await(epochNow);
            Found.Hit<V> hit = found == null || epoch == null ? null : decoded(key, found, epoch);
            (hit == null ? counters.sharedMisses : counters.sharedHits).increment();
            return hit == null ? new Found.Miss<>() : hit;
        } catch (UnavailableException failed) {
            return new Found.Unavailable<>();
        }
    }

    Right<V> acquire(String key, long nowNanos) {
        long epoch = line.epoch();
        if (epoch == Line.UNKNOWN || !usable(key, nowNanos)) {
            return new Right.Unavailable<>();
        }
        long token = node.newId();
        try {
            Remote.Acquired acquired = await(node.remote()
                    .acquire(
                            line.name(),
                            key,
                            epoch,
                            token,
                            line.config().leaseFor().toMillis()));
            return switch (acquired) {
                case Remote.Acquired.Granted granted ->
                    new Right.Granted<>(new SharedRecord.Identity(SharedRecord.LEASE, epoch, token), granted.guarded());
                case Remote.Acquired.Held held -> new Right.Held<>(held.guarded());
                case Remote.Acquired.Present present -> presentOrReplaceable(key, present.found(), epoch);
            };
        } catch (UnavailableException failed) {
            return new Right.Unavailable<>();
        }
    }

    /** The right to replace a value that is there, known by its id. */
    Right.Granted<V> rightToReplace(boolean negative, long id) {
        long epoch = line.epoch();
        byte type = negative ? SharedRecord.NOTHING : SharedRecord.VALUE;
        return new Right.Granted<>(new SharedRecord.Identity(type, epoch, id), false);
    }

    Fill fill(String key, Right.Granted<V> right, @Nullable V value, long id) {
        try {
            boolean done = await(node.remote()
                    .fill(
                            line.name(),
                            key,
                            right.identity().bytes(),
                            value == null ? SharedRecord.NOTHING : SharedRecord.VALUE,
                            id,
                            encoded(value),
                            ttlMillis(value)));
            return done ? Fill.DONE : Fill.REFUSED;
        } catch (UnavailableException failed) {
            return Fill.UNKNOWN;
        } catch (Exception unencodable) {
            warnOfCodec("encode", key, unencodable);
            release(key, right);
            return Fill.UNKNOWN;
        }
    }

    /** Gives up a right that was not used, so that others need not wait for it to expire. */
    void release(String key, Right<V> right) {
        if (right instanceof Right.Granted<V> granted && granted.identity().type() == SharedRecord.LEASE) {
            node.remote().release(line.name(), key, granted.identity().bytes());
        }
    }

    /** Writes a value unless the key is guarded; the other nodes drop theirs either way. Null if it failed. */
    Remote.@Nullable PutReply put(String key, @Nullable V value, long nowNanos) {
        long epoch = line.epoch();
        if (epoch == Line.UNKNOWN || !usable(key, nowNanos)) {
            return null;
        }
        try {
            byte type = value == null ? SharedRecord.NOTHING : SharedRecord.VALUE;
            byte[] payload = encoded(value);
            return await(
                    node.put(line, key, SharedRecord.identity(type, epoch, node.newId()), payload, ttlMillis(value)));
        } catch (UnavailableException failed) {
            return null;
        } catch (Exception unencodable) {
            warnOfCodec("encode", key, unencodable);
            return null;
        }
    }

    private Right<V> presentOrReplaceable(String key, @Nullable SharedRecord found, long epoch) {
        if (found == null) {
            return new Right.Unavailable<>();
        }
        Found.Hit<V> hit = decoded(key, found, epoch);
        return hit == null
                ? new Right.Granted<>(new SharedRecord.Identity(found.type(), found.epoch(), found.id()), false)
                : new Right.Present<>(hit);
    }

    private Found.@Nullable Hit<V> decoded(String key, SharedRecord found, long epoch) {
        if (!found.answers(epoch)) {
            return null;
        }
        if (found.type() == SharedRecord.NOTHING) {
            return new Found.Hit<>(null, found.id());
        }
        try {
            return new Found.Hit<>(codec.decode(found.payload()), found.id());
        } catch (Exception foreign) {
            warnOfCodec("decode", key, foreign);
            return null;
        }
    }

    private byte[] encoded(@Nullable V value) throws Exception {
        return value == null ? NO_BYTES : codec.encode(value);
    }

    private long ttlMillis(@Nullable V value) {
        long full = (value == null ? line.config().negativeTtl() : line.config().sharedTtl()).toMillis();
        return Math.max(1, Math.round(full * (1 - line.config().ttlJitter() * random.nextDouble())));
    }

    private void warnOfCodec(String step, String key, Exception failure) {
        counters.sharedErrors.increment();
        LOG.atLevel(warned ? Level.DEBUG : Level.WARN)
                .log("Cache {} could not {} the value of key {}: {}", line.name(), step, key, failure.toString());
        warned = true;
    }

    private <T extends @Nullable Object> T await(CompletableFuture<T> future) throws UnavailableException {
        try {
            T answer = waits.get(future, timeoutNanos);
            node.health().answered();
            return answer;
        } catch (ExecutionException | TimeoutException failed) {
            node.health().failed();
            counters.sharedErrors.increment();
            throw new UnavailableException();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new UnavailableException();
        }
    }

    /** The command failed or nobody knows. */
    private static final class UnavailableException extends Exception {
        UnavailableException() {
            super("the shared layer did not answer", null, false, false);
        }
    }
}
