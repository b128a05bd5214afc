package dev.weir.store.gateway;

import dev.weir.core.time.NanoClock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends what {@link MessageReader} reads, as {@link SendPlan} decides, and has {@link EndingWriter} write down how it ended.
 *
 * <p>One thread sends, without waiting for answers. The plan, the ledger of offsets and what is in hand are guarded by one lock, which is never
 * held across a call of the provider, the database or Kafka. A message is in hand from being read until its ending has been committed; only
 * then is its record done with. So whatever dies in between, the record is read again, and the message is sent again unless the database
 * says that it ended.
 *
 * <p>What belongs to a partition that is another instance's now is neither sent nor tried again, and is not said to have failed: the other one
 * may have sent it, and later ones. That the provider has taken one is written down all the same, which spares the other one the same.
 */
final class Dispatcher implements AutoCloseable {

    private static final int MOST_ENDINGS = 5_000;
    private static final long IDLE_NANOS = Duration.ofMillis(100).toNanos();
    private static final long LEAST_DELAY_NANOS = Duration.ofMillis(500).toNanos();
    private static final Duration WRITE_TIME = Duration.ofSeconds(2);

    /** Longest time that {@link #close} takes. */
    static final Duration CLOSE_TIME = Duration.ofSeconds(8);

    /** Sends one message; calls back once, from any thread, and never throws. */
    interface Sender {
        void send(Outgoing message, Consumer<ProviderAnswer> answer);
    }

    /** Writes endings in one transaction; answers how many messages have ended of each client by now. */
    interface Endings {
        Map<String, Long> write(List<MessageTable.Ending> endings);
    }

    private final Sender sender;
    private final Endings table;
    private final QueueView view;
    private final Runnable callbacksAdded;
    private final NanoClock clock;
    private final InstantSource wallClock;
    private final SendPlan plan;
    private final Lease lease;
    private final InHand inHand = new InHand();
    private final Throughput throughput;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();
    private final EndingWriter endings = new EndingWriter(this::write);
    private final List<MessageTable.Delay> delays = new ArrayList<>();
    private final Thread sending =
            Thread.ofPlatform().name("store-gateway-send").daemon(true).unstarted(this::send);
    private volatile boolean stopSending;
    private volatile Outlook outlook;

    /**
     * Waits for {@link #start}.
     *
     * @param view told of what has ended
     * @param callbacksAdded called after endings were written, which may have added callbacks
     * @param lease nothing is sent while it is not held
     */
    Dispatcher(
            Sender sender,
            Endings table,
            QueueView view,
            Runnable callbacksAdded,
            SendPlan plan,
            Lease lease,
            NanoClock clock,
            InstantSource wallClock) {
        this.sender = sender;
        this.table = table;
        this.view = view;
        this.callbacksAdded = callbacksAdded;
        this.plan = plan;
        this.lease = lease;
        this.clock = clock;
        this.wallClock = wallClock;
        this.throughput = new Throughput(plan.perSecond(clock.nanoTime()));
        this.outlook = lookOut();
    }

    void start() {
        sending.start();
        endings.start();
    }

    /**
     * Takes records that were read, in their order.
     *
     * @param open which of their messages have not ended
     */
    void take(List<InHand.Arrived> records, Set<UUID> open) {
        long nowMillis = wallClock.millis();
        lock.lock();
        try {
            for (InHand.Arrived record : records) {
                Outgoing message = record.message();
                Held held = inHand.take(record, message != null && open.contains(message.id()));
                if (held != null) {
                    plan.add(held);
                    throughput.read(
                            nowMillis - NewMessage.unixMillis(held.message().id()));
                }
            }
            outlook = lookOut();
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Nothing of these partitions is sent or tried again any more; what is under way ends. */
    void fence(Set<Integer> partitions) {
        lock.lock();
        try {
            plan.removeIf(held -> partitions.contains(held.partition()) && inHand.drop(held));
            inHand.lose(partitions);
        } finally {
            lock.unlock();
        }
    }

    /** Waits until what was under way of these partitions, which are fenced, has been written down; for this time at most. */
    void awaitEnds(Set<Integer> partitions, Duration time) throws InterruptedException {
        lock.lock();
        try {
            long left = time.toNanos();
            while (left > 0 && inHand.hasAnyOf(partitions)) {
                left = news.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Lets go of partitions that another instance reads now. */
    void forget(Set<Integer> partitions) {
        fence(partitions);
        lock.lock();
        try {
            inHand.forget(partitions);
        } finally {
            lock.unlock();
        }
    }

    /** From where each partition is to be read after a restart. */
    Map<Integer, Long> committable() {
        return locked(inHand::committable);
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
                long now = clock.nanoTime();
                // What is not written down would be sent again after a crash.
                if (!lease.isHeld(now)) {
                    plan.idle(now);
                } else if (endings.waiting() < MOST_ENDINGS) {
                    switch (plan.next(now)) {
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
            Held held = entry.item();
            long now = clock.nanoTime();
            MessageTable.Ending end = plan.answered(entry, answer, now);
            outlook = lookOut();
            if (end != null) {
                throughput.ended(end.status());
                endings.add(new EndingWriter.Ended(held, end));
            } else if (held.lost) {
                inHand.drop(held);
            } else if (SendPlan.delayNanos(entry, now) >= LEAST_DELAY_NANOS) {
                delays.add(
                        new MessageTable.Delay(held.message().id(), Duration.ofNanos(SendPlan.delayNanos(entry, now))));
            }
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void write(List<EndingWriter.Ended> batch) {
        List<MessageTable.Ending> ends = ours(batch);
        if (!ends.isEmpty()) {
            view.ended(table.write(ends));
            callbacksAdded.run();
        }
        done(batch);
    }

    private List<MessageTable.Ending> ours(List<EndingWriter.Ended> batch) {
        return locked(() -> batch.stream()
                .filter(each -> !each.held().lost || each.ending().status() == MessageStatus.SENT)
                .map(EndingWriter.Ended::ending)
                .toList());
    }

    private void done(List<EndingWriter.Ended> batch) {
        lock.lock();
        try {
            batch.forEach(each -> inHand.done(each.held()));
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** One second has passed; answers how many messages could be sent in one if it were allowed, infinite where there is a backlog. */
    double second() {
        return locked(() -> {
            throughput.second(plan.wasBacklogged(), plan.perSecond(clock.nanoTime()));
            outlook = lookOut();
            return throughput.demandPerSecond();
        });
    }

    /** This instance's share of the provider's limit from now on. */
    void limit(double perSecond) {
        lock.lock();
        try {
            plan.limit(perSecond);
        } finally {
            lock.unlock();
        }
    }

    private Outlook lookOut() {
        return throughput.outlook(plan.sendTime(), plan.hasSent());
    }

    /** What estimates are to reckon with; never waits for the sender. */
    Outlook outlook() {
        return outlook;
    }

    /** What other instances have measured, to be assumed by this one until it has measured itself. */
    void assume(Duration way, Duration send) {
        lock.lock();
        try {
            throughput.assumeWay(way);
            plan.assumeSendTime(send);
            outlook = lookOut();
        } finally {
            lock.unlock();
        }
    }

    /** Which messages wait for their next attempt since the last call, for estimates of every instance. */
    List<MessageTable.Delay> takeDelays() {
        return locked(() -> {
            List<MessageTable.Delay> taken = List.copyOf(delays);
            delays.clear();
            return taken;
        });
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
        return locked(() -> new Stats(
                plan.waiting(),
                plan.inFlight(),
                plan.perSecond(clock.nanoTime()),
                plan.isAway(),
                plan.cuts(),
                throughput.sent(),
                throughput.failed(),
                inHand.repeated()));
    }

    private <T> T locked(Supplier<T> action) {
        lock.lock();
        try {
            return action.get();
        } finally {
            lock.unlock();
        }
    }

    /** Sends nothing more, and within {@link #CLOSE_TIME} waits for answers under way and writes down how they ended. */
    @Override
    public void close() {
        stopSending = true;
        long endNanos = clock.nanoTime() + CLOSE_TIME.toNanos();
        try {
            awaitAnswers(endNanos - WRITE_TIME.toNanos());
            endings.close(Duration.ofNanos(Math.max(1, endNanos - clock.nanoTime())));
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitAnswers(long endNanos) throws InterruptedException {
        if (sending.isAlive()) {
            sending.join(Duration.ofNanos(Math.max(1, endNanos - clock.nanoTime())));
        }
        lock.lock();
        try {
            long left = endNanos - clock.nanoTime();
            while (plan.inFlight() > 0 && left > 0) {
                left = Math.min(news.awaitNanos(left), endNanos - clock.nanoTime());
            }
        } finally {
            lock.unlock();
        }
    }
}
