package dev.weir.core.shed;

import dev.weir.core.time.NanoClock;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Decides before any work whether a request is served. Thread-safe.
 *
 * <p>Two ways to the same decision. {@link #tryAcquire} and {@link #acquire} answer with an {@link Outcome}; a {@link Permit}
 * knows whether it was given back. {@link #tryEnter} and {@link #leave} do the same with a {@code long} and allocate nothing;
 * there, giving back exactly once is the caller's duty.
 *
 * <p>No thread of its own: what has to be decided from time to time is decided by a request that finds it due. On the fast path
 * are one atomic addition to enter and one to leave (see {@link Occupancy}), and a volatile read of all that is decided
 * ({@link Doors}). At high rates only a part of the requests reads the clock and is measured; what is counted is always exact.
 */
public final class Admission {

    private static final int SHIFT = 4;
    private static final long PRIORITY = 3;
    private static final long SAMPLED = 4;
    private static final long OUTSIDE = 8;
    private static final long SIGNALS_HOLD_NANOS = 5_000_000_000L;

    private final ShedConfig config;
    private final NanoClock clock;
    private final long startNanos;
    private final Occupancy occupancy = new Occupancy();
    private final Tally tally = new Tally();
    private final Latencies latencies = new Latencies();
    private final WaitLine line;
    private final @Nullable CallerQuota quota;
    private final Regulator regulator;
    private final AtomicBoolean turning = new AtomicBoolean();
    private final ToLongFunction<Priority> place = this::place;
    private volatile long dueNanos;
    private volatile Doors doors;
    private volatile Signals signals = Signals.NONE;
    private volatile long signalledNanos;
    private volatile int peakInFlight;

    /** With the system's clock. */
    public Admission(ShedConfig config) {
        this(config, NanoClock.system(), ThreadLocalRandom.current().nextLong());
    }

    /**
     * With a clock and a seed of its own.
     *
     * @param seed decides who is in which cohort
     */
    public Admission(ShedConfig config, NanoClock clock, long seed) {
        this.config = config;
        this.clock = clock;
        this.startNanos = clock.nanoTime();
        this.signalledNanos = startNanos;
        this.line = new WaitLine(config.queue().length());
        this.quota = config.quota().map(CallerQuota::new).orElse(null);
        this.regulator = new Regulator(config, occupancy, tally, latencies, startNanos, seed);
        this.dueNanos = startNanos + Regulator.INTERVAL_NANOS;
        this.doors = regulator.view().doors();
    }

    /** Asks for a place; does not wait. */
    public Outcome tryAcquire(Caller caller) {
        return outcome(caller, tryEnter(caller.priority(), caller.key()));
    }

    /**
     * Asks for a place, and where there is none waits for one in a short line, as long as the configuration says. Parks its
     * thread, platform or virtual, without pinning. An interrupt ends the wait as a refusal and keeps the flag. Low
     * requests wait only while no cohort is refused.
     */
    public Outcome acquire(Caller caller) {
        long token = pass(caller.priority(), caller.key());
        if (token == refusal(RefusalReason.LIMIT) && mayWait(caller.priority())) {
            token = await(caller.priority());
        }
        return outcome(caller, token >= 0 ? token : refuse(token, caller.priority()));
    }

    /**
     * Asks for a place without allocating.
     *
     * @param key see {@link Caller#key}
     * @return a token for exactly one {@link #leave}, 0 or above; or below 0 a refusal, of which {@link #refused} tells more
     */
    public long tryEnter(Priority priority, long key) {
        long token = pass(priority, key);
        return token >= 0 ? token : refuse(token, priority);
    }

    /**
     * Gives a place back.
     *
     * @param token from {@link #tryEnter}; exactly once
     */
    public void leave(long token, Completion completion) {
        if (token < 0) {
            throw new IllegalArgumentException(
                    "The token is %d: its request was refused and holds no place.".formatted(token));
        }
        if ((token & OUTSIDE) != 0) {
            return;
        }
        occupancy.leave(Priority.at((int) (token & PRIORITY)));
        if (completion != Completion.SUCCESS) {
            tally.countEnd(completion);
        }
        if ((token & SAMPLED) != 0) {
            measure(token, completion);
        }
        if (line.waiting() > 0) {
            serve(clock.nanoTime());
        }
    }

    /** What a negative answer of {@link #tryEnter} means. */
    public Outcome.Refused refused(long token, long key) {
        RefusalReason reason = RefusalReason.at((int) (-1 - token));
        long nowNanos = clock.nanoTime();
        CallerQuota own = quota;
        if (reason == RefusalReason.QUOTA && own != null) {
            return new Outcome.Refused(reason, own.wait(key, nowNanos));
        }
        return new Outcome.Refused(reason, config.drain().jittered(drainMillis(), key ^ nowNanos));
    }

    /** Also by those refused since the last decision: of a sudden rush the first and the last are not told the same time. */
    private double drainMillis() {
        Regulator.View last = regulator.view();
        double live = config.drain()
                .millis(
                        occupancy.inFlight(),
                        line.waiting(),
                        (double) (tally.heldUp() - last.heldUp()),
                        last.servedPerSecond());
        return Math.max(last.drainMillis(), live);
    }

    private Outcome outcome(Caller caller, long token) {
        if (token < 0) {
            return refused(token, caller.key());
        }
        try {
            return new Permit(this, token);
        } catch (OutOfMemoryError e) {
            leave(token, Completion.IGNORED);
            throw e;
        }
    }

    private long pass(Priority priority, long key) {
        Doors now = doors;
        CallerQuota own = quota;
        if (own != null && !own.take(key, clock.nanoTime())) {
            return refusal(RefusalReason.QUOTA);
        }
        if (!now.of(priority).opensFor(key, now.salt())) {
            return refusal(RefusalReason.COHORT);
        }
        long token = place(priority);
        if (token < 0) {
            tally.countFull(priority);
        }
        return token;
    }

    private long place(Priority priority) {
        Doors now = doors;
        long word = occupancy.enter(priority);
        int total = occupancy.inFlightBeside(priority, word);
        if (!now.of(priority).admits(Occupancy.inFlightIn(word), total)) {
            occupancy.undo(priority);
            return refusal(RefusalReason.LIMIT);
        }
        return now.samples(Occupancy.admittedIn(word)) ? sampled(priority, total) : priority.index();
    }

    private long sampled(Priority priority, int total) {
        if (total > peakInFlight) {
            peakInFlight = total;
        }
        return ((clock.nanoTime() - startNanos) << SHIFT) | SAMPLED | priority.index();
    }

    private void measure(long token, Completion completion) {
        long nowNanos = clock.nanoTime();
        if (completion == Completion.SUCCESS) {
            latencies.record(nowNanos - startNanos - (token >>> SHIFT));
        }
        turnIfDue(nowNanos);
    }

    private static long refusal(RefusalReason reason) {
        return -1L - reason.index();
    }

    /** Counts a refusal; its answer stands, other than in a dry run. */
    long refuse(long token, Priority priority) {
        tally.countRefused(RefusalReason.at((int) (-1 - token)), priority);
        turnIfDue(clock.nanoTime());
        return config.dryRun() ? OUTSIDE : token;
    }

    private boolean mayWait(Priority priority) {
        return config.queue().length() > 0
                && !config.dryRun()
                && (priority != Priority.LOW || regulator.view().gatesOpen());
    }

    private long await(Priority priority) {
        long nowNanos = clock.nanoTime();
        var waiter = new ThreadWaiter(
                priority, nowNanos, nowNanos + config.queue().maxWait().toNanos(), Thread.currentThread());
        return join(waiter, nowNanos) ? waiter.await(this) : refusal(RefusalReason.QUEUE_FULL);
    }

    /** As {@link #acquire} for one who does not park: settles the waiter now or later; the waiter counts a refusal. */
    void enterOrWait(long key, Waiter waiter) {
        long token = pass(waiter.priority, key);
        if (token == refusal(RefusalReason.LIMIT) && mayWait(waiter.priority)) {
            if (join(waiter, waiter.sinceNanos)) {
                return;
            }
            token = refusal(RefusalReason.QUEUE_FULL);
        }
        waiter.result = token;
        waiter.settled();
    }

    /** The deadline of one who does not park has come; without effect when it was settled before. */
    void expire(Waiter waiter) {
        if (line.abandon(waiter, refusal(RefusalReason.QUEUE_TIMEOUT))) {
            waiter.settled();
        }
    }

    /** Puts one into the line; false when it is full. */
    private boolean join(Waiter waiter, long nowNanos) {
        if (!line.offer(waiter)) {
            return false;
        }
        serve(nowNanos);
        return true;
    }

    private void serve(long nowNanos) {
        line.serve(nowNanos, place, refusal(RefusalReason.QUEUE_TIMEOUT));
    }

    private static final class ThreadWaiter extends Waiter {

        private final Thread thread;

        ThreadWaiter(Priority priority, long sinceNanos, long deadlineNanos, Thread thread) {
            super(priority, sinceNanos, deadlineNanos);
            this.thread = thread;
        }

        @Override
        void settled() {
            LockSupport.unpark(thread);
        }

        long await(Admission admission) {
            boolean interrupted = false;
            while (result == PENDING) {
                long leftNanos = deadlineNanos - admission.clock.nanoTime();
                interrupted |= Thread.interrupted();
                if (interrupted) {
                    admission.line.abandon(this, refusal(RefusalReason.INTERRUPTED));
                } else if (leftNanos <= 0) {
                    admission.line.abandon(this, refusal(RefusalReason.QUEUE_TIMEOUT));
                } else {
                    LockSupport.parkNanos(admission, leftNanos);
                }
            }
            if (interrupted) {
                thread.interrupt();
            }
            return result;
        }
    }

    private void turnIfDue(long nowNanos) {
        if (nowNanos - dueNanos >= 0 && turning.compareAndSet(false, true)) {
            try {
                turn(nowNanos);
            } finally {
                turning.set(false);
            }
            serve(nowNanos);
        }
    }

    private void turn(long nowNanos) {
        if (nowNanos - dueNanos < 0) {
            return;
        }
        dueNanos = nowNanos + Regulator.INTERVAL_NANOS;
        int peak = peakInFlight;
        peakInFlight = occupancy.inFlight();
        Signals told = nowNanos - signalledNanos > SIGNALS_HOLD_NANOS ? Signals.NONE : signals;
        regulator.turn(nowNanos, peak, line.waiting(), told);
        doors = regulator.view().doors();
    }

    private Regulator.View view() {
        turnIfDue(clock.nanoTime());
        return regulator.view();
    }

    /**
     * Takes in what the service knows beyond latencies; once a second or so, or never. It holds for 5 s, so that one who
     * stopped telling does not go on saying that all is full.
     */
    public void signals(Signals now) {
        signals = now;
        signalledNanos = clock.nanoTime();
    }

    /**
     * Adds what callers took of their quotas here to what they took of other instances of the service, and takes the sums in. From the
     * first call on these quotas are the service's and no longer this instance's; it is called about ten times a second, by one
     * thread at a time, and blocks as the store does. While it fails or is not called for a second, each instance keeps to its part.
     * Without effect where there are no quotas.
     *
     * @throws Exception what the store throws
     */
    public void shareQuotas(QuotaStore store) throws Exception {
        CallerQuota own = quota;
        if (own != null) {
            own.sync(store, clock);
        }
    }

    /** The pressure as the rest of the service sees it: in a dry run nothing is refused, so there is none. */
    public ServicePressure servicePressure() {
        return config.dryRun() ? ServicePressure.none() : new OwnPressure();
    }

    private final class OwnPressure implements ServicePressure {

        @Override
        public double pressure() {
            return Admission.this.pressure();
        }

        @Override
        public Stage stage() {
            return Admission.this.stage();
        }
    }

    /** How near the service is to refusing, 0 to 1; {@link Pressure} tells how it is made. */
    public double pressure() {
        return view().pressure();
    }

    /** What the service should give up now. */
    public Stage stage() {
        return view().stage();
    }

    /** Where the limit stands. */
    public int limit() {
        return view().limit();
    }

    /** Requests in flight; may for a moment include some that are about to be refused. */
    public int inFlight() {
        return occupancy.inFlight();
    }

    /** Requests in flight of one priority. */
    public int inFlight(Priority priority) {
        return occupancy.inFlight(priority);
    }

    /** Requests that wait for a place. */
    public int waiting() {
        return line.waiting();
    }

    /** Requests of a priority admitted so far. */
    public long admitted(Priority priority) {
        return occupancy.admitted(priority);
    }

    /** Requests refused so far; in a dry run those that would have been. */
    public long refused(RefusalReason reason, Priority priority) {
        return tally.refused(reason, priority);
    }

    /** Longest time that one may wait in {@link #acquire}. */
    public Duration maxWait() {
        return config.queue().maxWait();
    }
}
