package dev.weir.core.outbox;

import dev.weir.core.outbox.Flights.Flight;
import dev.weir.core.time.NanoClock;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
 * became due. It reads events of the parts of the keys it owns ({@link Leases}), keeps the ownership while batches are under way, and
 * gives a batch up when it cannot. Where the target allows it ({@link Target#overlaps}) each key's events are a batch of their own, and the
 * relay goes on with other keys while some are slow, up to as many events as it reads at once; it waits a moment for those it has just
 * begun, so that quick ones are still removed together. Two instances may then deliver the same event, each from its first unremoved one in order; so
 * repetitions are possible, and in a reader that leaves them out each key is still in order.
 */
public final class Relay implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Relay.class);
    private static final Duration CLOSE_TIME = Duration.ofSeconds(10);
    /** Of the time to close, for work that is under way. */
    private static final Duration STOP_TIME = Duration.ofSeconds(8);

    private static final Duration LOOK = Duration.ofMillis(50);
    private static final long NO_TOKEN = -1;
    private static final Pauses TARGET_PAUSES = new Pauses(Duration.ofMillis(50), Duration.ofSeconds(5));

    private final OutboxConfig config;
    private final Outbox outbox;
    private final OutboxTable table;
    private final Leases leases;
    private final Target target;
    private final Flights flights;
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
        this.flights = new Flights(clock);
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
        } finally {
            giveUpAll();
        }
    }

    /** One round; answers how long to wait before the next, unless woken. */
    private Duration step() throws InterruptedException {
        try {
            boolean more = round();
            return more ? Duration.ZERO : idlePause();
        } catch (SQLException away) {
            return pauseAfter(away);
        } catch (RuntimeException | Error trouble) {
            // Errors too, which a target may throw: without this thread the instance would deliver nothing more.
            forgetAll();
            return pauseAfter(trouble);
        }
    }

    private Duration pauseAfter(Throwable trouble) {
        failures.increment();
        if (troubles == 0) {
            LOG.warn("The outbox relay cannot go on and tries again.", trouble);
        }
        return pauseAfterTrouble();
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

    /** What is under way is looked at more often than the table would be. */
    private Duration idlePause() {
        return flights.isEmpty() || config.pollInterval().compareTo(LOOK) < 0 ? config.pollInterval() : LOOK;
    }

    /** Answers whether there may be more to do at once. */
    private boolean round() throws SQLException, InterruptedException {
        giveUpLost();
        leases.maintain(flights.lanes());
        giveUpLost();
        lanes = leases.owned().size();
        int before = flights.size();
        boolean begun = mayBegin() && begin();
        if (target.overlaps()) {
            flights.await(before, LOOK);
        } else {
            flights.await(0, leases.renewInterval());
        }
        boolean landed = land(flights.takeEnded());
        return begun || landed || (!target.overlaps() && !flights.isEmpty());
    }

    /** One at a time, or as much as one read brings. */
    private boolean mayBegin() {
        return flights.isEmpty()
                || (target.overlaps()
                        && flights.events() < config.batchEvents()
                        && flights.bytes() < config.batchBytes());
    }

    /** Reads what may be tried and begins to deliver it; false where there is nothing. */
    private boolean begin() throws SQLException {
        Set<Integer> open = leases.open();
        if (open.isEmpty()) {
            return false;
        }
        OutboxTable.Rows rows = table.read(
                open, flights.keys(), config.batchEvents() - flights.events(), config.batchBytes() - flights.bytes());
        long oldest = clock.nanoTime() - rows.oldestAge().toNanos();
        List<StoredEvent> wave = Wave.of(rows.events());
        Map<Integer, Long> owned = leases.owned();
        if (wave.isEmpty() || owned.isEmpty()) {
            return false;
        }
        batches.increment();
        for (List<StoredEvent> part : target.overlaps() ? Wave.byKey(wave) : List.of(wave)) {
            boolean first = part.getFirst().row() == wave.getFirst().row();
            flights.add(new Flight(part, target.begin(part), tokens(part, owned), first ? oldest : null));
        }
        return true;
    }

    private static Map<Integer, Long> tokens(List<StoredEvent> events, Map<Integer, Long> owned) {
        Map<Integer, Long> tokens = new HashMap<>();
        for (StoredEvent event : events) {
            int lane = OutboxConfig.lane(event.keyHash());
            tokens.put(lane, owned.getOrDefault(lane, NO_TOKEN));
        }
        return tokens;
    }

    /** Another instance may own them now. */
    private void giveUpLost() throws SQLException, InterruptedException {
        giveUp(flights.takeLost(leases.owned()));
    }

    private void giveUp(List<Flight> lost) throws SQLException, InterruptedException {
        if (!lost.isEmpty()) {
            aborted.increment();
            lost.forEach(flight -> flight.batch().abort());
            land(lost);
        }
    }

    /** At the end, after a while for what is under way. What cannot be written is delivered again by whoever reads it next. */
    private void giveUpAll() {
        try {
            finish(clock.nanoTime() + (target.overlaps() ? STOP_TIME : leases.renewInterval()).toNanos());
            giveUp(flights.takeLost(Map.of()));
        } catch (InterruptedException interrupted) {
            forgetAll();
            Thread.currentThread().interrupt();
        } catch (SQLException | RuntimeException unwritten) {
            LOG.debug("What ended with the relay could not be written", unwritten);
            forgetAll();
        }
    }

    /** Gives what is under way this time to end, while it is owned. */
    private void finish(long endNanos) throws SQLException, InterruptedException {
        for (long left = endNanos - clock.nanoTime();
                left > 0 && !flights.isEmpty();
                left = endNanos - clock.nanoTime()) {
            Duration renewal = leases.renewInterval();
            flights.await(0, left < renewal.toNanos() ? Duration.ofNanos(left) : renewal);
            land(flights.takeEnded());
            leases.maintain(flights.lanes());
            giveUpLost();
        }
    }

    /** A target that throws may do so again about the same batches; their events are read anew. */
    private void forgetAll() {
        for (Flight flight : flights.takeLost(Map.of())) {
            try {
                flight.batch().abort();
            } catch (RuntimeException | Error again) {
                LOG.debug("A batch cannot be given up", again);
            }
        }
    }

    /** Writes how these ended; false where there are none. While nothing arrives the target is given time. */
    private boolean land(List<Flight> ended) throws SQLException, InterruptedException {
        if (ended.isEmpty()) {
            return false;
        }
        List<StoredEvent> events = Flights.events(ended);
        Verdict verdict = Verdict.of(events, Flights.outcomes(ended), config.attempts());
        table.apply(
                verdict,
                leases,
                Flights.tokens(ended),
                pauses,
                ThreadLocalRandom.current().nextDouble());
        // Only then: who sees the count finds the rows.
        count(verdict);
        ended.forEach(flight -> tellLag(flight, verdict));
        if (verdict.postponed() < events.size()) {
            troubles = 0;
        } else if (!stopped) {
            await(pauseAfterTrouble());
        }
        return true;
    }

    private void tellLag(Flight flight, Verdict verdict) {
        Long oldest = flight.oldest();
        if (oldest != null
                && verdict.arrived().contains(flight.events().getFirst().row())) {
            lags.accept(Duration.ofNanos(clock.nanoTime() - oldest));
        }
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
