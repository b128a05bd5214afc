package dev.weir.core.watch;

import dev.weir.core.time.NanoClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Where the time of one request goes.
 *
 * <p>Whoever makes the request wait says so: {@link #begin} before, {@link #end} after, on any thread. Calls of one kind may
 * overlap, and so may those of different kinds; so there are two figures for each kind, all calls' times added ({@link
 * #sumNanos}) and the time during which at least one was under way ({@link #unionNanos}), and one for all kinds together
 * ({@link #busyNanos}). What is left of the request's time is its own ({@link #restNanos}): computing, waiting for a
 * processor or a lock, and whatever nobody reports.
 *
 * <p>All state lies behind the object's own monitor, held for a few additions and never across a call; threads meet in it only
 * when a request works in parallel. The budget is never reused: what ends late, after the request, finds it ended and changes
 * nothing. Calls that are open when the request ends count up to then.
 */
public final class Budget {

    private static final int MOST_OFFENCES = 8;
    private static final double NANOS_A_MILLI = 1e6;

    /**
     * Something to be logged at the end of the request.
     *
     * @param measure nanoseconds, or a count
     * @param limit what it exceeded, in the same unit
     */
    record Entry(Offence offence, Object what, long measure, long limit) {}

    private final Limits limits;
    private final NanoClock clock;
    private final long startNanos;
    private final @Nullable Part[] parts = new @Nullable Part[Kind.all().length];
    private final Part all = new Part();
    private @Nullable TopCounts queries;
    private @Nullable TopCounts beans;
    private @Nullable TopCounts exceptions;
    private @Nullable TopCounts log;
    private int threads;
    private @Nullable List<Entry> offences;
    private @Nullable Inherited inherited;
    private long endNanos;
    private volatile boolean ended;

    Budget(Limits limits, NanoClock clock) {
        this.limits = limits;
        this.clock = clock;
        this.startNanos = clock.nanoTime();
    }

    /** A call of this kind begins; answers the reading of the clock that {@link #end} wants back. */
    public long begin(Kind kind) {
        long now = clock.nanoTime();
        synchronized (this) {
            if (!ended) {
                part(kind).begin(now);
                all.begin(now);
            }
        }
        return now;
    }

    /**
     * The call that began then has ended.
     *
     * @param what which one, for the log where it was slow: a statement, a command, an address without its variables. Its
     *     {@code toString} is asked for then only
     */
    public void end(Kind kind, long begunNanos, Object what) {
        long now = clock.nanoTime();
        synchronized (this) {
            if (ended) {
                return;
            }
            part(kind).end(now);
            all.end(now);
            long limit = limits.ofKind(kind);
            if (now - begunNanos > limit) {
                offend(limits.offenceOf(kind), what, now - begunNanos, limit);
            }
        }
    }

    /** Ends all calls of this kind that are open, where their own end cannot be heard of. */
    public void settle(Kind kind) {
        long now = clock.nanoTime();
        synchronized (this) {
            Part part = parts[kind.index()];
            while (!ended && part != null && part.isOpen()) {
                part.end(now);
                all.end(now);
            }
        }
    }

    /** A call of this kind failed; said besides its end. */
    public synchronized void failed(Kind kind, Throwable failure) {
        if (!ended) {
            part(kind).failed();
            exception(failure);
        }
    }

    /** A statement is executed. */
    public synchronized void query(String sql) {
        if (!ended) {
            TopCounts counts = orNew(queries);
            queries = counts;
            once(Offence.SAME_QUERY, sql, counts.add(sql, 1), 1, limits.many().sameQuery());
        }
    }

    /** A bean was made for this request alone. */
    public synchronized void bean(Class<?> type) {
        if (!ended) {
            TopCounts counts = orNew(beans);
            beans = counts;
            counts.add(type, 1);
            once(Offence.BEANS, type, counts.total(), 1, limits.many().beans());
        }
    }

    /** An exception was seen. */
    public synchronized void exception(Throwable thrown) {
        if (!ended) {
            TopCounts counts = orNew(exceptions);
            exceptions = counts;
            counts.add(thrown.getClass(), 1);
            once(
                    Offence.EXCEPTIONS,
                    thrown.getClass(),
                    counts.total(),
                    1,
                    limits.many().exceptions());
        }
    }

    /** So much was logged. */
    public synchronized void logged(String logger, long bytes) {
        if (!ended) {
            TopCounts counts = orNew(log);
            log = counts;
            counts.add(logger, bytes);
            once(Offence.LOG, logger, counts.total(), bytes, limits.many().logBytes());
        }
    }

    /** A thread was made. */
    synchronized void thread() {
        if (!ended) {
            threads++;
            once(
                    Offence.THREADS,
                    Thread.currentThread().getName(),
                    threads,
                    1,
                    limits.many().threads());
        }
    }

    /** What was added last made the count reach its limit, and no earlier one did. */
    private void once(Offence offence, Object what, long count, long added, long limit) {
        if (limit > 0 && count >= limit && count - added < limit) {
            offend(offence, what, count, limit);
        }
    }

    private void offend(Offence offence, Object what, long measure, long limit) {
        List<Entry> kept = offences == null ? new ArrayList<>(2) : offences;
        offences = kept;
        if (kept.size() < MOST_OFFENCES) {
            kept.add(new Entry(offence, what, measure, limit));
        }
    }

    /** Ends it; later calls change nothing. False where it has ended before. */
    synchronized boolean end() {
        if (ended) {
            return false;
        }
        endNanos = clock.nanoTime();
        ended = true;
        if (inherited != null) {
            inherited.let();
        }
        long limit = limits.requestNanos();
        if (totalNanos() > limit) {
            offend(Offence.REQUEST, "", totalNanos(), limit);
        }
        return true;
    }

    /** Whether the request has ended. */
    public boolean isEnded() {
        return ended;
    }

    /** What threads see that are made by a thread of this request. */
    synchronized Inherited inherited() {
        if (inherited == null) {
            inherited = new Inherited(this);
        }
        return inherited;
    }

    /** From the beginning to the end, or to now. */
    public synchronized long totalNanos() {
        return until() - startNanos;
    }

    /** All calls' times of this kind added. */
    public synchronized long sumNanos(Kind kind) {
        Part part = parts[kind.index()];
        return part == null ? 0 : part.sumNanos(until());
    }

    /** How long at least one call of this kind was under way; at most the total. */
    public synchronized long unionNanos(Kind kind) {
        Part part = parts[kind.index()];
        return part == null ? 0 : part.unionNanos(until());
    }

    /** How many calls of this kind began. */
    public synchronized int calls(Kind kind) {
        Part part = parts[kind.index()];
        return part == null ? 0 : part.calls();
    }

    /** How many calls of this kind failed. */
    public synchronized int failures(Kind kind) {
        Part part = parts[kind.index()];
        return part == null ? 0 : part.failures();
    }

    /** How long at least one call of any kind was under way. */
    public synchronized long busyNanos() {
        return all.unionNanos(until());
    }

    /** What no kind accounts for. */
    public synchronized long restNanos() {
        return totalNanos() - busyNanos();
    }

    /** Statements executed. */
    public synchronized long queries() {
        return total(queries);
    }

    /** Executions of the statement that was executed most often. */
    public synchronized long mostOfOneQuery() {
        return queries == null ? 0 : queries.topCount();
    }

    /** Beans made for this request alone. */
    public synchronized long beans() {
        return total(beans);
    }

    /** Exceptions seen. */
    public synchronized long exceptions() {
        return total(exceptions);
    }

    /** Bytes logged. */
    public synchronized long logBytes() {
        return total(log);
    }

    /** Threads made. */
    public synchronized int threads() {
        return threads;
    }

    synchronized List<Entry> offences() {
        return offences == null ? List.of() : List.copyOf(offences);
    }

    private static TopCounts orNew(@Nullable TopCounts counts) {
        return counts == null ? new TopCounts() : counts;
    }

    private static long total(@Nullable TopCounts counts) {
        return counts == null ? 0 : counts.total();
    }

    private long until() {
        return ended ? endNanos : clock.nanoTime();
    }

    private Part part(Kind kind) {
        Part part = parts[kind.index()];
        if (part == null) {
            part = new Part();
            parts[kind.index()] = part;
        }
        return part;
    }

    /**
     * As the header {@code Server-Timing} has it (https://www.w3.org/TR/server-timing/): milliseconds by kind, up to now.
     */
    public synchronized String serverTiming() {
        StringBuilder text = new StringBuilder("total;dur=").append(millis(totalNanos()));
        for (Kind kind : Kind.all()) {
            Part part = parts[kind.index()];
            if (part != null) {
                text.append(", ")
                        .append(kind.label())
                        .append(";dur=")
                        .append(millis(part.unionNanos(until())))
                        .append(";desc=\"")
                        .append(part.calls())
                        .append('"');
            }
        }
        return text.append(", rest;dur=").append(millis(restNanos())).toString();
    }

    /**
     * The whole budget as {@code key=value} with a blank between two: each kind as {@code union/sum/calls}, or {@code
     * union/calls} where the two times are the same.
     */
    synchronized String text() {
        StringBuilder text =
                new StringBuilder("total=").append(millis(totalNanos())).append("ms");
        for (Kind kind : Kind.all()) {
            Part part = parts[kind.index()];
            if (part != null) {
                append(text, kind, part);
            }
        }
        text.append(" rest=").append(millis(restNanos())).append("ms");
        append(text, "queries", queries);
        append(text, "beans", beans);
        append(text, "exceptions", exceptions);
        append(text, "log-bytes", log);
        if (threads > 0) {
            text.append(" threads=").append(threads);
        }
        return text.toString();
    }

    private void append(StringBuilder text, Kind kind, Part part) {
        long union = part.unionNanos(until());
        long sum = part.sumNanos(until());
        text.append(' ').append(kind.label()).append('=').append(millis(union)).append("ms");
        if (sum != union) {
            text.append('/').append(millis(sum)).append("ms");
        }
        text.append('/').append(part.calls());
        if (part.failures() > 0) {
            text.append(" (").append(part.failures()).append(" failed)");
        }
    }

    private static void append(StringBuilder text, String name, @Nullable TopCounts counts) {
        if (counts == null) {
            return;
        }
        text.append(' ').append(name).append('=').append(counts.total());
        Object top = counts.top();
        if (top != null && counts.topCount() > 1) {
            text.append(" (")
                    .append(counts.topCount())
                    .append(" of ")
                    .append(Fingerprint.of(top))
                    .append(')');
        }
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.1f", nanos / NANOS_A_MILLI);
    }
}
