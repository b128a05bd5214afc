package dev.weir.store.gateway;

import dev.weir.core.time.NanoClock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionOperations;

/**
 * Sends what {@link MessageReader} reads, as {@link SendPlan} decides, and writes down how it ended.
 *
 * <p>Two threads: one sends, without waiting for answers; one writes endings, many in one transaction. The plan, the ledger of offsets and
 * what is in hand are guarded by one lock, which is never held across a call of the provider, the database or Kafka. A message is in hand
 * from being read until its ending has been committed; only then is its record done with. So whatever dies in between, the record is
 * read again, and the message is sent again unless the database says that it ended.
 */
final class Dispatcher implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Dispatcher.class);
    private static final int ENDINGS_AT_ONCE = 1_000;
    private static final int MOST_ENDINGS = 5_000;
    private static final long IDLE_NANOS = Duration.ofMillis(100).toNanos();
    private static final Duration CLOSE_TIME = Duration.ofSeconds(7);
    private static final Duration RETRY = Duration.ofMillis(500);
    private static final double NEW_SHARE = 0.01;
    private static final long LONGEST_WAY_MILLIS = 5_000;

    /** Sends one message; calls back once, from any thread, and never throws. */
    interface Sender {
        void send(Outgoing message, Consumer<ProviderAnswer> answer);
    }

    private record Ended(Held held, MessageTable.Ending ending) {}

    private final Sender sender;
    private final MessageTable table;
    private final TransactionOperations transaction;
    private final QueueView view;
    private final Runnable callbacksAdded;
    private final NanoClock clock;
    private final InstantSource wallClock;
    private final SendPlan plan;
    private final OffsetLedger ledger = new OffsetLedger();
    private final Map<UUID, Held> inHand = new HashMap<>();
    private final SendRate rate = new SendRate();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();
    private final BlockingQueue<Ended> endings = new LinkedBlockingQueue<>();
    private final LongAdder sent = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder repeated = new LongAdder();
    private final Thread sending =
            Thread.ofPlatform().name("store-gateway-send").daemon(true).unstarted(this::send);
    private final Thread ending =
            Thread.ofPlatform().name("store-gateway-endings").daemon(true).unstarted(this::writeEndings);
    private volatile boolean stopSending;
    private volatile boolean stopEnding;
    private volatile double effectivePerSecond;
    private double wayMillis;
    private long endedInSecond;

    /**
     * Waits for {@link #start}.
     *
     * @param view told of what has ended
     * @param callbacksAdded called after endings were written, which may have added callbacks
     */
    Dispatcher(
            Sender sender,
            MessageTable table,
            TransactionOperations transaction,
            QueueView view,
            Runnable callbacksAdded,
            SendPlan plan,
            NanoClock clock,
            InstantSource wallClock) {
        this.sender = sender;
        this.table = table;
        this.transaction = transaction;
        this.view = view;
        this.callbacksAdded = callbacksAdded;
        this.plan = plan;
        this.clock = clock;
        this.wallClock = wallClock;
        this.effectivePerSecond = plan.perSecond(clock.nanoTime());
    }

    void start() {
        sending.start();
        ending.start();
    }

    /**
     * Takes records that were read, in their order.
     *
     * @param open which of their messages have not ended
     */
    void take(List<Held> records, Set<UUID> open) {
        long nowMillis = wallClock.millis();
        lock.lock();
        try {
            records.forEach(held -> take(held, open, nowMillis));
            news.signal();
        } finally {
            lock.unlock();
        }
    }

    private void take(Held held, Set<UUID> open, long nowMillis) {
        UUID id = held.message().id();
        ledger.read(held.partition(), held.offset());
        Held earlier = inHand.get(id);
        if (earlier != null && earlier.isAt(held.partition(), held.offset())) {
            // The same record once more, while its message is under way: that one's end is this one's.
            return;
        }
        if (earlier != null || !open.contains(id)) {
            repeated.increment();
            ledger.done(held.partition(), held.offset());
            return;
        }
        inHand.put(id, held);
        plan.add(held);
        long way =
                Math.clamp(nowMillis - (id.getMostSignificantBits() >>> NewMessage.TIME_SHIFT), 0, LONGEST_WAY_MILLIS);
        wayMillis += NEW_SHARE * (way - wayMillis);
    }

    /** A record that holds no message. */
    void skip(int partition, long offset) {
        lock.lock();
        try {
            ledger.read(partition, offset);
            ledger.done(partition, offset);
        } finally {
            lock.unlock();
        }
    }

    /** Lets go of partitions that another instance reads now; what is under way ends here all the same. */
    void forget(Collection<Integer> partitions) {
        lock.lock();
        try {
            Set<Integer> gone = new HashSet<>(partitions);
            plan.removeIf(held -> gone.contains(held.partition())
                    && inHand.remove(held.message().id(), held));
            gone.forEach(ledger::forget);
        } finally {
            lock.unlock();
        }
    }

    /** From where each partition is to be read after a restart. */
    Map<Integer, Long> committable() {
        lock.lock();
        try {
            return ledger.committable();
        } finally {
            lock.unlock();
        }
    }

    private void send() {
        try {
            FairQueue.Entry<Held> next = awaitNext();
            while (next != null) {
                FairQueue.Entry<Held> entry = next;
                sender.send(entry.item().message(), answer -> answered(entry, answer));
                next = awaitNext();
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    /** The next message to send, once it may be; null when nothing is to be sent any more. */
    private FairQueue.@Nullable Entry<Held> awaitNext() throws InterruptedException {
        lock.lock();
        try {
            while (!stopSending) {
                long pauseNanos = IDLE_NANOS;
                // What is not written down would be sent again after a crash.
                if (endings.size() < MOST_ENDINGS) {
                    switch (plan.next(clock.nanoTime())) {
                        case SendPlan.Step.Send(FairQueue.Entry<Held> entry) -> {
                            return entry;
                        }
                        case SendPlan.Step.Pause(long nanos) -> pauseNanos = Math.min(nanos, IDLE_NANOS);
                    }
                }
                news.awaitNanos(pauseNanos);
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    private void answered(FairQueue.Entry<Held> entry, ProviderAnswer answer) {
        lock.lock();
        try {
            MessageTable.Ending end = plan.answered(entry, answer, clock.nanoTime());
            if (end != null) {
                endedInSecond++;
                (end.status() == MessageStatus.SENT ? sent : failed).increment();
                endings.add(new Ended(entry.item(), end));
            }
            news.signal();
        } finally {
            lock.unlock();
        }
    }

    private void writeEndings() {
        try {
            while (!stopEnding || !endings.isEmpty()) {
                Ended first = endings.poll(IDLE_NANOS, TimeUnit.NANOSECONDS);
                if (first != null) {
                    List<Ended> batch = new ArrayList<>();
                    batch.add(first);
                    endings.drainTo(batch, ENDINGS_AT_ONCE - 1);
                    write(batch);
                }
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    /** Tries until it is written, or the gateway is stopped; what is not written then is sent again after the next start. */
    private void write(List<Ended> batch) throws InterruptedException {
        List<MessageTable.Ending> ends = batch.stream().map(Ended::ending).toList();
        boolean warned = false;
        while (true) {
            try {
                Map<String, Long> counts = transaction.execute(status -> table.end(ends));
                view.ended(counts);
                done(batch);
                callbacksAdded.run();
                return;
            } catch (RuntimeException trouble) {
                if (!warned) {
                    log.warn("What became of {} messages cannot be written yet: {}", ends.size(), trouble.toString());
                    warned = true;
                }
                if (stopEnding) {
                    return;
                }
                TimeUnit.MILLISECONDS.sleep(RETRY.toMillis());
            }
        }
    }

    private void done(List<Ended> batch) {
        lock.lock();
        try {
            for (Ended each : batch) {
                Held held = each.held();
                inHand.remove(held.message().id(), held);
                ledger.done(held.partition(), held.offset());
            }
            news.signal();
        } finally {
            lock.unlock();
        }
    }

    /**
     * One second has passed.
     *
     * @param limitPerSecond this instance's share of the provider's limit from now on
     */
    void second(double limitPerSecond) {
        lock.lock();
        try {
            plan.limit(limitPerSecond);
            effectivePerSecond = rate.second(endedInSecond, plan.wasBacklogged(), plan.perSecond(clock.nanoTime()));
            endedInSecond = 0;
        } finally {
            lock.unlock();
        }
    }

    /** Messages a second to reckon with for this instance. */
    double effectivePerSecond() {
        return effectivePerSecond;
    }

    /** What the way from being accepted to being sent takes where nothing waits. */
    Duration way() {
        lock.lock();
        try {
            return Duration.ofMillis((long) wayMillis).plus(plan.sendTime());
        } finally {
            lock.unlock();
        }
    }

    /** How long the provider takes for one message. */
    Duration sendTime() {
        lock.lock();
        try {
            return plan.sendTime();
        } finally {
            lock.unlock();
        }
    }

    /**
     * How it stands.
     *
     * @param waiting messages in hand that are not under way
     * @param perSecond the pace permitted now
     * @param cuts how often the provider's refusals have lowered it
     * @param repeated records of messages that were in hand or had ended already
     */
    record Stats(
            int waiting,
            int inFlight,
            double perSecond,
            boolean providerAway,
            long cuts,
            long sent,
            long failed,
            long repeated) {}

    Stats stats() {
        lock.lock();
        try {
            return new Stats(
                    plan.waiting(),
                    plan.inFlight(),
                    plan.perSecond(clock.nanoTime()),
                    plan.isAway(),
                    plan.cuts(),
                    sent.sum(),
                    failed.sum(),
                    repeated.sum());
        } finally {
            lock.unlock();
        }
    }

    /** Sends nothing more, and within 7 seconds waits for answers under way and writes down how they ended. */
    @Override
    public void close() {
        stopSending = true;
        long endNanos = System.nanoTime() + CLOSE_TIME.toNanos();
        try {
            sending.join(CLOSE_TIME);
            awaitAnswers(endNanos);
            stopEnding = true;
            if (!ending.join(CLOSE_TIME)) {
                ending.interrupt();
            }
        } catch (InterruptedException ended) {
            stopEnding = true;
            Thread.currentThread().interrupt();
        }
    }

    private void awaitAnswers(long endNanos) throws InterruptedException {
        lock.lock();
        try {
            long left = endNanos - System.nanoTime();
            while (plan.inFlight() > 0 && left > 0) {
                left = Math.min(news.awaitNanos(left), endNanos - System.nanoTime());
            }
        } finally {
            lock.unlock();
        }
    }
}
