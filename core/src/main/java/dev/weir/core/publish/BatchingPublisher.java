package dev.weir.core.publish;

import dev.weir.core.publish.NotDeliveredException.Reason;
import dev.weir.core.publish.Transport.Opening;
import dev.weir.core.time.NanoClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes events in batches, in order per key, without ever blocking its callers.
 *
 * <p>Calls put an event into a bounded buffer and return. One thread hands batches to a {@link Transport}, which pipelines them; the
 * bound counts events until they are acknowledged. An event that comes back unacknowledged goes to the head of its topic again, and
 * so does everything handed over after it.
 *
 * <p>Why the order holds. Kafka's idempotent client retries by itself, in order per partition, and the broker refuses a batch whose
 * predecessor it does not have. What can break the order is an error that ends one batch while the client goes on with the next, and
 * an application that then sends the first again: the next one is already there. Therefore the first returned event ends the
 * transport as a whole (see {@link Transport}), on the very thread that would send the next batch; when all deliveries have ended,
 * those not acknowledged are handed to a new transport in their old order. An event refused for good is never sent again, so it may
 * be passed by the next.
 *
 * <p>One lock guards the buffer and what was returned. It is never held while a transport, a future or a caller's encoder runs.
 */
public final class BatchingPublisher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BatchingPublisher.class);
    private static final long FOREVER = Long.MAX_VALUE;
    private static final long LONGEST_WAIT_NANOS = 1_000_000_000L;
    private static final long MOMENT_NANOS = 1_000_000;
    private static final double ROOM_PRESSURE = 0.75;
    private static final Duration ABORT_TIME = Duration.ofSeconds(5);
    private static final Duration CLOSE_TIME = Duration.ofSeconds(10);

    private final PublisherConfig config;
    private final TransportFactory transports;
    private final NanoClock clock;
    private final DoubleSupplier random;
    private final Supplier<UUID> ids;
    private final Backoff backoff;
    private final PublisherCounters counters = new PublisherCounters();
    private final Pending.Endings endings = new HandedOver();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private final Condition drained = lock.newCondition();
    private final Condition room = lock.newCondition();
    private final AtomicInteger waitingForRoom = new AtomicInteger();

    /** Guarded by the lock, as the next three. */
    private final EventBuffer buffer;

    private final List<Pending> returned = new ArrayList<>();
    private boolean closing;
    private volatile boolean ended;

    /** Whether a delivery was returned since the transport was made; whoever ends a delivery then tells the sending thread. */
    private volatile boolean broken;

    private volatile boolean someoneWaits;
    private volatile @Nullable Transport transport;
    /** What stands in the way, as part of a sentence; empty while nothing does. */
    private volatile String trouble = "";

    /** In a row. */
    private final AtomicInteger failures = new AtomicInteger();

    private long retryAtNanos;
    private @Nullable Thread thread;

    private BatchingPublisher(
            PublisherConfig config,
            TransportFactory transports,
            NanoClock clock,
            DoubleSupplier random,
            Supplier<UUID> ids) {
        this.config = config;
        this.transports = transports;
        this.clock = clock;
        this.random = random;
        this.ids = ids;
        this.backoff = config.backoff();
        this.buffer = new EventBuffer(config);
    }

    /**
     * A running publisher.
     *
     * @throws RuntimeException what the factory throws when its settings are wrong
     */
    public static BatchingPublisher start(PublisherConfig config, TransportFactory transports) {
        BatchingPublisher publisher = new BatchingPublisher(
                config,
                transports,
                NanoClock.system(),
                () -> ThreadLocalRandom.current().nextDouble(),
                new EventIds(ThreadLocalRandom.current().nextLong()));
        publisher.transport = transports.create();
        publisher.startThread();
        return publisher;
    }

    /** One without a thread: the caller drives its rounds. */
    static BatchingPublisher stepped(PublisherConfig config, TransportFactory transports, NanoClock clock) {
        BatchingPublisher publisher = new BatchingPublisher(config, transports, clock, () -> 0.5, new EventIds(0));
        publisher.transport = transports.create();
        return publisher;
    }

    private void startThread() {
        Thread started = Thread.ofPlatform().name("weir-publish").daemon(true).unstarted(this::run);
        thread = started;
        started.start();
    }

    /**
     * Takes an event into the buffer, or says why not. Never blocks but for a short lock.
     *
     * <p>Two calls for the same key are ordered when one returned before the other began.
     */
    public Publication publish(Event event) {
        Objects.requireNonNull(event, "There is no event; null was given.");
        int bytes = event.sizeBytes();
        if (bytes > config.maxEventBytes()) {
            return refuse(new Publication.Oversized(bytes, config.maxEventBytes()));
        }
        String wrongName = EventTexts.noTopic(event.topic());
        if (wrongName != null) {
            return refuse(new Publication.TopicRefused(event.topic(), wrongName));
        }
        Event identified = event.id() == null ? event.withId(ids.get()) : event;
        Pending pending;
        lock.lock();
        try {
            Publication.Refused refused =
                    closing ? new Publication.Closed() : buffer.refusal(event.topic(), bytes, trouble);
            if (refused != null) {
                return refuse(refused);
            }
            pending = new Pending(identified, bytes, buffer.nextSequence(), clock.nanoTime(), endings);
            if (buffer.add(pending)) {
                work.signal();
            }
        } finally {
            lock.unlock();
        }
        counters.accepted.increment();
        return new Publication.Accepted(pending.receipt());
    }

    /**
     * As {@link #publish(Event)}, but where the buffer is full it waits for room, so long at most: for bulk work, not for requests.
     * Waiting callers go on when a quarter of the buffer is free.
     */
    public Publication publish(Event event, Duration atMost) throws InterruptedException {
        long left = TimeUnit.NANOSECONDS.convert(atMost);
        Publication publication = publish(event);
        while (publication instanceof Publication.BufferFull && left > 0) {
            left = awaitRoom(left);
            publication = publish(event);
        }
        return publication;
    }

    /** Answers what is left of the time. Where there is room, but not for this event, only a moment passes. */
    private long awaitRoom(long nanos) throws InterruptedException {
        if (hasRoom()) {
            LockSupport.parkNanos(MOMENT_NANOS);
            if (Thread.interrupted()) {
                throw new InterruptedException("Interrupted while waiting for room in the publisher's buffer.");
            }
            return nanos - MOMENT_NANOS;
        }
        long left = nanos;
        lock.lock();
        try {
            waitingForRoom.incrementAndGet();
            while (!hasRoom() && !closing && left > 0) {
                left = room.awaitNanos(left);
            }
        } finally {
            waitingForRoom.decrementAndGet();
            lock.unlock();
        }
        return left;
    }

    private boolean hasRoom() {
        return buffer.pressure() <= ROOM_PRESSURE;
    }

    private void signalRoom() {
        if (waitingForRoom.get() > 0 && hasRoom()) {
            lock.lock();
            try {
                room.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Encodes a payload on the calling thread and publishes it; what the encoder throws, or that it answers null, is an outcome. */
    public <T> Publication publish(String topic, String key, T payload, Encoder<? super T> encoder) {
        byte[] value;
        try {
            value = Objects.requireNonNull(encoder.encode(payload), "the encoder answered null");
        } catch (Exception unserialisable) {
            return refuse(new Publication.Unserialisable(unserialisable));
        }
        return publish(Event.of(topic, key, value));
    }

    /**
     * As {@link #publish(Event)}, for callers who prefer an exception.
     *
     * @throws PublicationRefusedException if the event is not taken
     */
    public CompletableFuture<Receipt> publishOrThrow(Event event) {
        return switch (publish(event)) {
            case Publication.Accepted(CompletableFuture<Receipt> receipt) -> receipt;
            case Publication.Refused refused -> throw new PublicationRefusedException(refused);
        };
    }

    /** As {@link #publish(Event)}, for callers who need to know no more than whether it was taken. */
    public boolean offer(Event event) {
        return publish(event) instanceof Publication.Accepted;
    }

    private Publication refuse(Publication.Refused refused) {
        counters.count(refused);
        return refused;
    }

    /** How full the buffer is, 0 to 1; cheap enough to be asked on each request. */
    public double pressure() {
        return buffer.pressure();
    }

    /** What it has counted, and how it stands. */
    public PublisherStats stats() {
        lock.lock();
        try {
            return new PublisherStats(
                    counters.accepted.sum(),
                    counters.acknowledged.sum(),
                    counters.refusedFull.sum(),
                    counters.refusedOversized.sum(),
                    counters.refusedUnserialisable.sum(),
                    counters.refusedTopic.sum(),
                    counters.refusedClosed.sum(),
                    counters.failed.sum(),
                    counters.givenUp.sum(),
                    counters.left.sum(),
                    counters.resent.sum(),
                    counters.breaks.sum(),
                    counters.batches.sum(),
                    buffer.waiting(),
                    inFlight.get(),
                    buffer.heldBytes(),
                    buffer.onHold(),
                    buffer.pressure());
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        do {
            guardedRound();
        } while (awaitWork());
    }

    /** Whatever a transport throws, the thread goes on: without it every event would wait for ever. */
    private void guardedRound() {
        try {
            round();
        } catch (RuntimeException broken) {
            LOG.error("A round of publishing failed; the next one follows.", broken);
            pause(clock.nanoTime());
        }
    }

    /** Waits until there is something to do; false at the end. */
    private boolean awaitWork() {
        lock.lock();
        try {
            for (long nanos = idleNanos(clock.nanoTime()); nanos > 0 && !ended; nanos = idleNanos(clock.nanoTime())) {
                long ignored = work.awaitNanos(Math.min(nanos, LONGEST_WAIT_NANOS));
            }
        } catch (InterruptedException unexpected) {
            LOG.warn("The publishing thread was interrupted; it goes on until the publisher is closed.");
        } finally {
            lock.unlock();
        }
        return !ended;
    }

    /** For how long there is nothing to do, unless it is signalled. */
    private long idleNanos(long now) {
        if (broken) {
            return inFlight.get() == 0 ? 0 : FOREVER;
        }
        if (transport == null) {
            return retryAtNanos - now;
        }
        return closing && buffer.hasReady() ? 0 : buffer.nanosUntilWork(now);
    }

    /** Does what is due now; hands over one batch at most. */
    void round() {
        long now = clock.nanoTime();
        if (broken && !recover(now)) {
            return;
        }
        failTooOld(now);
        Transport current = transportFor(now);
        if (current != null) {
            ask(current, now);
            handOver(current, now);
        }
    }

    private boolean recover(long now) {
        List<Pending> failing = new ArrayList<>();
        lock.lock();
        try {
            if (inFlight.get() > 0) {
                return false;
            }
            List<Pending> again = new ArrayList<>();
            for (Pending pending : returned) {
                (mayBeSentAgain(pending, now) ? again : failing).add(pending);
            }
            returned.clear();
            buffer.forgetOpenings();
            buffer.putBack(again);
            counters.resent.add(again.size());
            broken = false;
        } finally {
            lock.unlock();
        }
        Transport last = transport;
        transport = null;
        pause(now);
        if (last != null) {
            last.abort();
        }
        failing.forEach(pending -> failReturned(pending, now));
        return true;
    }

    private void pause(long now) {
        retryAtNanos = now + backoff.pauseNanos(failures.incrementAndGet(), random.getAsDouble());
    }

    private boolean mayBeSentAgain(Pending pending, long now) {
        return pending.blamedTimes() < config.attempts() && !buffer.isTooOld(pending, now);
    }

    private void failReturned(Pending pending, long now) {
        if (buffer.isTooOld(pending, now)) {
            giveUp(pending);
        } else {
            counters.failed.increment();
            fail(
                    pending,
                    Reason.REFUSED,
                    "The event failed " + pending.blamedTimes() + " times",
                    pending.lastFailure());
        }
    }

    private void failTooOld(long now) {
        List<Pending> old;
        lock.lock();
        try {
            old = buffer.takeTooOld(now);
        } finally {
            lock.unlock();
        }
        old.forEach(this::giveUp);
    }

    private void giveUp(Pending pending) {
        counters.givenUp.increment();
        fail(
                pending,
                Reason.GIVEN_UP,
                "The event was not acknowledged within " + config.giveUpAfter().toMillis() + " ms (give-up-after)."
                        + trouble,
                pending.lastFailure());
    }

    private void fail(Pending pending, Reason reason, String sentence, @Nullable Exception cause) {
        buffer.release(pending);
        pending.receipt()
                .completeExceptionally(new NotDeliveredException(
                        reason,
                        cause == null ? sentence : Sentences.open(sentence) + ": " + Sentences.open(cause) + ".",
                        cause));
        signalRoom();
        signalDrained();
    }

    private @Nullable Transport transportFor(long now) {
        Transport current = transport;
        if (current != null || now - retryAtNanos < 0) {
            return current;
        }
        try {
            Transport made = transports.create();
            transport = made;
            return made;
        } catch (RuntimeException cannot) {
            pause(now);
            note("no connection can be made: " + Sentences.open(cannot));
            return null;
        }
    }

    private void note(String what) {
        String sentence = " " + Character.toUpperCase(what.charAt(0)) + what.substring(1) + ".";
        if (!sentence.equals(trouble)) {
            LOG.warn("Publishing is held up.{}", sentence);
        }
        trouble = sentence;
    }

    private void ask(Transport current, long now) {
        List<String> topics;
        lock.lock();
        try {
            topics = buffer.toAsk(now);
        } finally {
            lock.unlock();
        }
        for (String topic : topics) {
            CompletableFuture<Void> ignored =
                    current.open(topic).thenAccept(opening -> answered(current, topic, opening));
        }
    }

    /** An answer that comes after the transport was ended tells of that alone. */
    private void answered(Transport asked, String topic, Opening opening) {
        List<Pending> failing;
        lock.lock();
        try {
            if (!asked.equals(transport) || broken || ended) {
                return;
            }
            failing = buffer.answered(topic, opening, clock.nanoTime(), random.getAsDouble());
            work.signal();
        } finally {
            lock.unlock();
        }
        tell(topic, opening);
        for (Pending pending : failing) {
            counters.failed.increment();
            fail(pending, Reason.TOPIC, "Topic " + topic + " takes no events: " + reason(opening) + ".", null);
        }
    }

    private static String reason(Opening opening) {
        return switch (opening) {
            case Opening.Opened opened -> "";
            case Opening.Unreachable(String reason) -> reason;
            case Opening.Absent(String reason) -> reason;
            case Opening.Denied(String reason) -> reason;
        };
    }

    private void tell(String topic, Opening opening) {
        switch (opening) {
            case Opening.Opened opened -> trouble = "";
            case Opening.Unreachable(String reason) -> note("no broker answers: " + reason);
            case Opening.Absent(String reason) -> LOG.warn("Topic {} is not there yet: {}", topic, reason);
            case Opening.Denied(String reason) -> LOG.error("Topic {} takes no events: {}", topic, reason);
        }
    }

    private void handOver(Transport current, long now) {
        List<Pending> batch;
        lock.lock();
        try {
            batch = buffer.take(now, closing);
        } finally {
            lock.unlock();
        }
        if (batch.isEmpty()) {
            return;
        }
        counters.batches.increment();
        List<Pending> untaken = handOver(current, batch);
        if (!untaken.isEmpty()) {
            putBack(untaken, now);
        }
    }

    /** Hands over each event unless one before it of the same topic was not taken; answers those. */
    private List<Pending> handOver(Transport current, List<Pending> batch) {
        List<Pending> untaken = new ArrayList<>(0);
        String blocked = null;
        for (Pending pending : batch) {
            String topic = pending.event().topic();
            if (topic.equals(blocked)) {
                untaken.add(pending);
                continue;
            }
            if (!send(current, pending)) {
                untaken.add(pending);
                blocked = topic;
            }
        }
        return untaken;
    }

    private boolean send(Transport current, Pending pending) {
        inFlight.incrementAndGet();
        boolean taken;
        try {
            taken = current.send(pending.event(), pending);
        } catch (RuntimeException unexpected) {
            current.abort();
            pending.returned(unexpected, true);
            return true;
        }
        if (!taken) {
            inFlight.decrementAndGet();
        }
        return taken;
    }

    private void putBack(List<Pending> untaken, long now) {
        lock.lock();
        try {
            buffer.putBack(untaken);
            for (Pending pending : untaken) {
                buffer.noRoom(pending.event().topic(), now, random.getAsDouble());
            }
        } finally {
            lock.unlock();
        }
    }

    private void signalDrained() {
        if (someoneWaits) {
            lock.lock();
            try {
                drained.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /** What the transport's thread tells of events handed over. */
    private final class HandedOver implements Pending.Endings {
        @Override
        public void acknowledged(Pending pending, Receipt receipt) {
            buffer.release(pending);
            counters.acknowledged.increment();
            if (failures.get() != 0) {
                failures.set(0);
            }
            pending.receipt().complete(receipt);
            signalRoom();
            ended();
        }

        @Override
        public void refused(Pending pending, Exception cause) {
            counters.failed.increment();
            fail(pending, Reason.REFUSED, "The event was refused", cause);
            ended();
        }

        private void ended() {
            inFlight.decrementAndGet();
            if (broken || someoneWaits) {
                lock.lock();
                try {
                    work.signal();
                    drained.signalAll();
                } finally {
                    lock.unlock();
                }
            }
        }

        @Override
        public void returned(Pending pending, Exception cause, boolean blamed) {
            lock.lock();
            try {
                if (!broken) {
                    broken = true;
                    counters.breaks.increment();
                    if (!ended) {
                        note("the connection was given up: " + Sentences.open(cause));
                    }
                }
                returned.add(pending);
                inFlight.decrementAndGet();
                work.signal();
                drained.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Closes within 10 seconds; what is left then is lost. Use {@link #close(Duration)} to keep it. */
    @Override
    public void close() {
        List<Event> left = close(CLOSE_TIME);
        if (!left.isEmpty()) {
            LOG.error("{} events were not acknowledged when the publisher was closed, and are lost.", left.size());
        }
    }

    /**
     * Takes no more events, hands over what waits without lingering, and waits until all is acknowledged or this time is over. Then
     * what is left fails with {@link Reason#CLOSED} and is returned, in its order; the broker may have some of it all the same. Returns
     * at once the second time. An interrupt ends the waiting early.
     */
    public List<Event> close(Duration deadline) {
        if (!beginClosing()) {
            return List.of();
        }
        awaitDrained(TimeUnit.NANOSECONDS.convert(deadline));
        Transport last = stopThread();
        if (last != null) {
            last.abort();
        }
        awaitReturned();
        return fail(leftovers());
    }

    private boolean beginClosing() {
        lock.lock();
        try {
            if (closing) {
                return false;
            }
            closing = true;
            someoneWaits = true;
            work.signal();
            room.signalAll();
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void awaitDrained(long nanos) {
        long left = nanos;
        lock.lock();
        try {
            while (buffer.heldEvents() > 0 && left > 0) {
                left = drained.awaitNanos(left);
            }
        } catch (InterruptedException early) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Transport stopThread() {
        lock.lock();
        try {
            ended = true;
            work.signal();
        } finally {
            lock.unlock();
        }
        Thread running = thread;
        if (running != null) {
            joinUninterruptibly(running);
        }
        return transport;
    }

    private static void joinUninterruptibly(Thread running) {
        boolean interrupted = Thread.interrupted();
        try {
            boolean stopped = running.join(ABORT_TIME);
            if (!stopped) {
                LOG.error("The publishing thread did not stop within {} s.", ABORT_TIME.toSeconds());
            }
        } catch (InterruptedException again) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitReturned() {
        boolean interrupted = Thread.interrupted();
        lock.lock();
        try {
            long left = ABORT_TIME.toNanos();
            while (inFlight.get() > 0 && left > 0) {
                left = drained.awaitNanos(left);
            }
        } catch (InterruptedException again) {
            interrupted = true;
        } finally {
            lock.unlock();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private List<Pending> leftovers() {
        lock.lock();
        try {
            List<Pending> left = new ArrayList<>(returned);
            returned.clear();
            left.addAll(buffer.takeAll());
            left.sort(Comparator.comparingLong(Pending::sequence));
            return left;
        } finally {
            lock.unlock();
        }
    }

    private List<Event> fail(List<Pending> left) {
        counters.left.add(left.size());
        for (Pending pending : left) {
            fail(
                    pending,
                    Reason.CLOSED,
                    "The publisher was closed before the event was acknowledged",
                    pending.lastFailure());
        }
        return left.stream().map(Pending::event).toList();
    }
}
