package dev.weir.core.cache;

import dev.weir.core.cache.PendingEvictions.Batch;
import dev.weir.core.cache.PendingEvictions.Result;
import dev.weir.core.time.NanoClock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * One node's part in the protocol: sends invalidations and beats, handles those of all nodes, itself included.
 *
 * <p>Sending: the sequence number is taken and the command handed to the connection under one lock, so numbers reach Redis
 * in order, and a beat never announces a number that is not yet on its way. An invalidation and the tombstones it leaves are one script,
 * hence a node that has handled the message finds the tombstone.
 *
 * <p>Receiving: what is missing drops the cache concerned; what shows that the subscription was away drops all. Handling a
 * message only advances stamps, so it is quick and may run on the connection's thread.
 *
 * <p>Locks: {@code publishing} and {@code receiving} are never held together.
 */
final class Node implements Remote.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(Node.class);

    /** After one of them a node that has not handled an invalidation has stopped believing; the rest is for late callers. */
    private static final int BOUNDS_TO_ACKNOWLEDGE = 3;

    /** Whoever can write to the channel could fill the log otherwise. */
    private static final long UNREADABLE_TOLD_EVERY_NANOS = 60_000_000_000L;

    private final String id;
    private final Remote remote;
    private final CachesConfig config;
    private final NanoClock clock;
    private final LongSupplier ids;
    private final Trust trust;
    private final RedisHealth health;
    private final Acknowledgements acknowledgements = new Acknowledgements();
    private final Map<String, Line> lines = new ConcurrentHashMap<>();
    private final ReentrantLock publishing = new ReentrantLock();
    private final Object receiving = new Object();
    private final Sequences sequences = new Sequences();
    private final Believers believers;
    private long unreadableToldNanos;
    private boolean leaving;
    private long beat;
    private long nextBeatNanos;

    Node(String id, Remote remote, CachesConfig config, NanoClock clock, LongSupplier ids) {
        this.id = id;
        this.remote = remote;
        this.config = config;
        this.clock = clock;
        this.ids = ids;
        long now = clock.nanoTime();
        this.trust = new Trust(config.boundNanos(), config.settleNanos(), now);
        this.health = new RedisHealth(config.failuresToOpen(), config.boundNanos(), config.fenceNanos());
        this.believers = new Believers(config.boundNanos(), now);
        this.nextBeatNanos = now;
        this.unreadableToldNanos = now - UNREADABLE_TOLD_EVERY_NANOS;
    }

    Trust trust() {
        return trust;
    }

    RedisHealth health() {
        return health;
    }

    Remote remote() {
        return remote;
    }

    void add(Line line) {
        lines.put(line.name(), line);
    }

    /** Never zero. */
    long newId() {
        long made = ids.getAsLong();
        return made == 0 ? 1 : made;
    }

    /** Sends what has gathered, if nothing of this cache is under way. Does not wait. */
    void flush(Line line) {
        publishing.lock();
        try {
            if (!health.reachable()) {
                defer(line);
                return;
            }
            Batch batch = line.pending().take();
            if (batch != null) {
                send(line, batch);
            }
        } finally {
            publishing.unlock();
        }
    }

    /** Publishes a put under the next number. */
    CompletableFuture<Remote.PutReply> put(Line line, String key, byte[] identity, byte[] payload, long ttlMillis) {
        publishing.lock();
        try {
            Message.Evicted message = new Message.Evicted(id, line.name(), line.nextSequence(), false, List.of(key));
            return remote.put(
                    line.name(),
                    key,
                    identity,
                    payload,
                    ttlMillis,
                    line.config().guardFor().toMillis(),
                    Message.encode(message));
        } finally {
            publishing.unlock();
        }
    }

    /** Completes with true once every node that may have believed when the message was sent has handled it. */
    CompletableFuture<Boolean> handledByAll(Line line, Result.Delivered delivered) {
        return acknowledgements.all(line.name(), delivered.sequence());
    }

    /**
     * Whether no other node may answer with entries of its own: none was heard of for a bound on the channel, or none could
     * be since it was lost.
     */
    boolean nobodyElseBelieves() {
        synchronized (receiving) {
            return believers.noneBut(id, clock.nanoTime());
        }
    }

    /** Sends a beat if one is due and retries what could not be delivered. Does not wait; call it a few times per beat. */
    void tick() {
        remote.upkeep();
        long now = clock.nanoTime();
        if (now - nextBeatNanos >= 0) {
            nextBeatNanos = now + config.beatNanos();
            if (trust.takesConnectionsForDead()) {
                remote.giveUp();
            }
            sendBeat();
        }
        if (health.reachable()) {
            lines.values().forEach(this::flush);
        }
        acknowledgements.forgetSentBefore(now - BOUNDS_TO_ACKNOWLEDGE * config.boundNanos());
        Set<String> nodes = forgetSilent(now);
        if (nodes != null) {
            acknowledgements.awaitNoOthers(nodes, id);
        }
    }

    /** Those left that may believe; null while it cannot be told. */
    private @Nullable Set<String> forgetSilent(long nowNanos) {
        synchronized (receiving) {
            if (sequences.forgetSilentSince(nowNanos - config.silenceNanos())) {
                dropAll(nowNanos);
            }
            believers.forgetUnheardSince(nowNanos - config.boundNanos());
            return believers.at(nowNanos);
        }
    }

    /**
     * Stops believing, then says farewell, after which the others ask for no confirmation of this node any more. A beat behind
     * the farewell would look like a node that falls silent.
     */
    void close() {
        away();
        Map<String, Long> last = new LinkedHashMap<>();
        publishing.lock();
        try {
            leaving = true;
            lines.values().forEach(line -> last.put(line.name(), line.lastSequence()));
        } finally {
            publishing.unlock();
        }
        remote.close(Message.encode(new Message.Left(id, last)));
        lost();
    }

    private void send(Line line, Batch batch) {
        long sequence = line.nextSequence();
        if (line.strict()) {
            acknowledgements.expect(line.name(), sequence, clock.nanoTime());
        }
        var unused = dispatch(line, batch, sequence).whenComplete((done, failure) -> {
            if (failure == null) {
                health.answered();
                line.pending().delivered(batch);
                batch.result().complete(new Result.Delivered(sequence));
            } else {
                line.counters().evictionsDeferred.increment();
                acknowledgements.forget(line.name(), sequence);
                health.failed();
                line.pending().failed(batch, clock.nanoTime());
                batch.result().complete(new Result.Deferred());
            }
            if (failure == null) {
                flush(line);
            } else {
                defer(line);
            }
        });
    }

    private CompletableFuture<Long> dispatch(Line line, Batch batch, long sequence) {
        if (batch.all()) {
            long epoch = newId();
            line.forgetEpoch();
            return remote.clear(
                    line.name(),
                    epoch,
                    Message.encode(new Message.Cleared(id, line.name(), sequence, line.strict(), epoch)));
        }
        List<String> keys = batch.keys();
        return remote.evict(
                line.name(),
                keys,
                line.config().guardFor().toMillis(),
                Message.encode(new Message.Evicted(id, line.name(), sequence, line.strict(), keys)));
    }

    private void defer(Line line) {
        CompletableFuture<Result> waiting = line.pending().detachWaiting(clock.nanoTime());
        if (waiting != null) {
            waiting.complete(new Result.Deferred());
        }
    }

    private void sendBeat() {
        Map<String, Long> changesWhenSent = new LinkedHashMap<>();
        CompletableFuture<Map<String, Long>> answer;
        long sentNanos;
        publishing.lock();
        try {
            if (leaving) {
                return;
            }
            beat++;
            Map<String, Long> last = new LinkedHashMap<>();
            Map<String, Long> proposals = new LinkedHashMap<>();
            for (Line line : lines.values()) {
                last.put(line.name(), line.lastSequence());
                proposals.put(line.name(), newId());
                changesWhenSent.put(line.name(), line.epochChanges());
            }
            sentNanos = clock.nanoTime();
            trust.sent(beat, sentNanos);
            answer = remote.beat(proposals, Message.encode(new Message.Beat(id, beat, last)));
        } finally {
            publishing.unlock();
        }
        var unused = answer.whenComplete((epochs, failure) -> beatEnded(epochs, changesWhenSent, sentNanos));
    }

    private void beatEnded(@Nullable Map<String, Long> epochs, Map<String, Long> changesWhenSent, long sentNanos) {
        long now = clock.nanoTime();
        if (epochs == null) {
            health.failed();
            return;
        }
        epochs.forEach((cache, epoch) -> {
            Line line = lines.get(cache);
            if (line != null) {
                line.beatAnswered(epoch, changesWhenSent.getOrDefault(cache, 0L), now);
            }
        });
        health.beatAnswered(sentNanos, now);
    }

    @Override
    public void subscribed() {
        synchronized (receiving) {
            long now = clock.nanoTime();
            trust.subscribed(now);
            sequences.restart();
            believers.restart(now);
            dropAll(now);
        }
    }

    @Override
    public void away() {
        synchronized (receiving) {
            long now = clock.nanoTime();
            trust.away(now);
            sequences.restart();
            believers.lost(now);
            dropAll(now);
        }
    }

    @Override
    public void lost() {
        health.lost();
    }

    @Override
    public void message(byte[] bytes) {
        try {
            handle(Message.decode(bytes));
        } catch (Message.UnreadableException unreadable) {
            long now = clock.nanoTime();
            boolean first;
            synchronized (receiving) {
                first = now - unreadableToldNanos >= UNREADABLE_TOLD_EVERY_NANOS;
                unreadableToldNanos = first ? now : unreadableToldNanos;
                dropAll(now);
            }
            LOG.atLevel(first ? Level.WARN : Level.DEBUG)
                    .log(
                            "Dropped all caches: {}. Do nodes of another version use the same prefix? Said once a minute",
                            unreadable.getMessage());
        }
    }

    private void handle(Message message) {
        switch (message) {
            case Message.Evicted evicted -> evicted(evicted);
            case Message.Cleared cleared -> cleared(cleared);
            case Message.Beat received -> beat(received);
            case Message.Left left -> left(left);
            case Message.Handled handled ->
                acknowledgements.handled(handled.cache(), handled.sequence(), handled.publisher());
        }
    }

    private void evicted(Message.Evicted message) {
        synchronized (receiving) {
            Line line = inSequence(message.publisher(), message.cache(), message.sequence());
            // This node dropped its own before and after it sent them; what it has by now is newer.
            if (line != null && !message.publisher().equals(id)) {
                long now = clock.nanoTime();
                message.keys().forEach(key -> line.invalidate(key, now));
            }
        }
        if (message.acknowledge()) {
            acknowledge(message.publisher(), message.cache(), message.sequence());
        }
    }

    private void cleared(Message.Cleared message) {
        synchronized (receiving) {
            Line line = inSequence(message.publisher(), message.cache(), message.sequence());
            if (line != null) {
                line.epochIs(message.epoch());
                if (!message.publisher().equals(id)) {
                    line.drop(clock.nanoTime());
                }
            }
        }
        if (message.acknowledge()) {
            acknowledge(message.publisher(), message.cache(), message.sequence());
        }
    }

    private void beat(Message.Beat message) {
        synchronized (receiving) {
            long now = clock.nanoTime();
            dropAfterGaps(message.publisher(), message.last(), now);
            if (message.publisher().equals(id)) {
                if (trust.settledBy(message.number())) {
                    sequences.learned();
                    dropAll(now);
                }
                trust.extend(message.number(), now);
            }
            believers.heard(message.publisher(), now);
        }
    }

    private void left(Message.Left message) {
        synchronized (receiving) {
            dropAfterGaps(message.publisher(), message.last(), clock.nanoTime());
            sequences.left(message.publisher());
            believers.left(message.publisher());
        }
    }

    private void dropAfterGaps(String publisher, Map<String, Long> last, long nowNanos) {
        for (String cache : sequences.gapsUpTo(publisher, last, nowNanos)) {
            Line line = lines.get(cache);
            if (line != null) {
                line.drop(nowNanos);
            }
        }
    }

    private @Nullable Line inSequence(String publisher, String cache, long sequence) {
        long now = clock.nanoTime();
        boolean gap = sequences.gapBefore(publisher, cache, sequence, now);
        Line line = lines.get(cache);
        if (gap && line != null) {
            line.drop(now);
        }
        return line;
    }

    private void acknowledge(String publisher, String cache, long sequence) {
        if (publisher.equals(id)) {
            awaitBelievers(cache, sequence);
            acknowledgements.handled(cache, sequence, id);
        } else {
            remote.acknowledge(publisher, Message.encode(new Message.Handled(id, cache, sequence)));
        }
    }

    /** This node's own message has come back, so every beat that was published before it has been heard. */
    private void awaitBelievers(String cache, long sequence) {
        Set<String> nodes;
        synchronized (receiving) {
            nodes = believers.at(clock.nanoTime());
        }
        if (nodes != null) {
            acknowledgements.await(cache, sequence, nodes);
        }
    }

    private void dropAll(long nowNanos) {
        lines.values().forEach(line -> line.drop(nowNanos));
    }
}
