package dev.weir.core.outbox;

import dev.weir.core.time.NanoClock;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers the events of an outbox: read in batches, handed to a {@link Target}, removed when they have arrived.
 *
 * <p>One thread. It is woken by {@link Outbox#committed}, and looks by itself as well, for events that other processes wrote or that
 * became due. It reads events of the parts of the keys it owns ({@link Leases}), keeps the ownership while a batch is under way, and
 * gives the batch up when it cannot. Two instances may then deliver the same event, each from its first unremoved one in order; so
 * repetitions are possible, and in a reader that leaves them out each key is still in order.
 */
public final class Relay implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Relay.class);
    private static final Duration CLOSE_TIME = Duration.ofSeconds(10);
    private static final Pauses TARGET_PAUSES = new Pauses(Duration.ofMillis(50), Duration.ofSeconds(5));

    private final OutboxConfig config;
    private final Outbox outbox;
    private final OutboxTable table;
    private final Leases leases;
    private final Target target;
    private final Pauses pauses;
    private final Consumer<Duration> lags;
    private final NanoClock clock = NanoClock.system();
    private final Runnable wake = this::wake;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition woken = lock.newCondition();
    private final LongAdder batches = new LongAdder();
    private final LongAdder delivered = new LongAdder();
    private final LongAdder retried = new LongAdder();
    private final LongAdder parked = new LongAdder();
    private final LongAdder postponed = new LongAdder();
    private final LongAdder aborted = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final Thread thread;
    private boolean hasNews;
    private volatile boolean stopped;
    private volatile int lanes;
    private int troubles;

    private Relay(OutboxConfig config, Outbox outbox, DataSource database, Target target, Consumer<Duration> lags) {
        this.config = config;
        this.outbox = outbox;
        this.table = new OutboxTable(config, database);
        this.leases = new Leases(config, database, clock, UUID.randomUUID());
        this.target = target;
        this.lags = lags;
        this.pauses = new Pauses(config.retryBackoff(), config.maxRetryBackoff());
        this.thread = Thread.ofPlatform().name("weir-outbox-relay").daemon(true).unstarted(this::run);
    }

    /**
     * A running relay. It uses one connection of the database at a time, and none while it waits for the target or for news.
     *
     * @param database the primary; a pool, best one with autocommit
     * @param target closed with the relay
     */
    public static Relay start(OutboxConfig config, Outbox outbox, DataSource database, Target target) {
        return start(config, outbox, database, target, lag -> {});
    }

    /**
     * As the other, and tells how late events arrive.
     *
     * @param lags told once a batch, on the relay's thread, which it must not hold: the time from adding the batch's oldest event to its
     *     removal; not told where that one did not arrive
     */
    public static Relay start(
            OutboxConfig config, Outbox outbox, DataSource database, Target target, Consumer<Duration> lags) {
        Relay relay = new Relay(config, outbox, database, target, lags);
        outbox.onCommit(relay.wake);
        relay.thread.start();
        return relay;
    }

    /** Looks at once instead of at the next interval. Cheap; never blocks for long. */
    public void wake() {
        lock.lock();
        try {
            hasNews = true;
            woken.signal();
        } finally {
            lock.unlock();
        }
    }

    /** What it has counted. */
    public RelayStats stats() {
        return new RelayStats(
                batches.sum(),
                delivered.sum(),
                retried.sum(),
                parked.sum(),
                postponed.sum(),
                aborted.sum(),
                failures.sum(),
                lanes);
    }

    private void run() {
        try {
            while (!stopped) {
                Duration pause = step();
                if (!pause.isZero()) {
                    await(pause);
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** One round; answers how long to wait before the next, unless woken. */
    private Duration step() throws InterruptedException {
        try {
            boolean more = round();
            return more ? Duration.ZERO : config.pollInterval();
        } catch (SQLException | RuntimeException | Error trouble) {
            // Errors too, which a target may throw: without this thread the instance would deliver nothing more.
            failures.increment();
            if (troubles == 0) {
                LOG.warn("The outbox relay cannot go on and tries again.", trouble);
            }
            return pauseAfterTrouble();
        }
    }

    private Duration pauseAfterTrouble() {
        troubles++;
        return TARGET_PAUSES.after(troubles, ThreadLocalRandom.current().nextDouble());
    }

    private void await(Duration pause) throws InterruptedException {
        long left = pause.toNanos();
        lock.lock();
        try {
            while (!hasNews && !stopped && left > 0) {
                left = woken.awaitNanos(left);
            }
            hasNews = false;
        } finally {
            lock.unlock();
        }
    }

    private boolean round() throws SQLException, InterruptedException {
        leases.maintain();
        Map<Integer, Long> owned = leases.owned();
        lanes = owned.size();
        if (owned.isEmpty()) {
            return false;
        }
        OutboxTable.Rows rows = table.read(owned.keySet(), config.batchEvents(), config.batchBytes());
        long readAt = clock.nanoTime();
        List<StoredEvent> wave = Wave.of(rows.events());
        if (wave.isEmpty() || !leases.isValid()) {
            return false;
        }
        Verdict verdict = Verdict.of(wave, deliver(wave), config.attempts());
        table.apply(verdict, leases, owned, pauses, ThreadLocalRandom.current().nextDouble());
        // Only then: who sees the count finds the rows.
        count(verdict);
        if (verdict.arrived().contains(wave.getFirst().row())) {
            lags.accept(rows.oldestAge().plusNanos(clock.nanoTime() - readAt));
        }
        return goOn(wave, verdict);
    }

    /** Goes on at once while events arrive; else the target is given time. */
    private boolean goOn(List<StoredEvent> wave, Verdict verdict) throws InterruptedException {
        if (verdict.postponed() < wave.size()) {
            troubles = 0;
            return true;
        }
        await(pauseAfterTrouble());
        return true;
    }

    private List<Outcome> deliver(List<StoredEvent> wave) throws SQLException, InterruptedException {
        batches.increment();
        Target.Batch batch = target.begin(wave);
        boolean ended = false;
        try {
            while (!ended && !stopped && leases.isValid()) {
                ended = batch.await(leases.renewInterval());
                if (!ended && !leases.keep()) {
                    break;
                }
            }
        } finally {
            if (!ended) {
                aborted.increment();
                batch.abort();
            }
        }
        return batch.outcomes();
    }

    private void count(Verdict verdict) {
        delivered.add(verdict.arrived().size());
        retried.add(verdict.retried().size());
        parked.add(verdict.parked().size());
        postponed.add(verdict.postponed());
        for (Verdict.Failure failure : verdict.parked()) {
            LOG.error(
                    "Event {} of topic {} is parked after {} attempts: {}",
                    failure.event().event().id(),
                    failure.event().event().topic(),
                    failure.event().attempts() + 1,
                    failure.reason());
        }
    }

    /** Stops within about 10 seconds, gives its parts of the keys back, and closes the target. Events stay in the table. */
    @Override
    public void close() {
        outbox.forget(wake);
        stopped = true;
        wake();
        try {
            if (!thread.join(CLOSE_TIME)) {
                LOG.warn("The outbox relay is still at work after {} s; it is interrupted.", CLOSE_TIME.toSeconds());
                thread.interrupt();
            } else {
                leases.end();
            }
        } catch (InterruptedException interrupted) {
            thread.interrupt();
            Thread.currentThread().interrupt();
        } catch (SQLException lost) {
            LOG.info("The leases could not be given back and will expire: {}", lost.toString());
        }
        target.close();
    }
}
