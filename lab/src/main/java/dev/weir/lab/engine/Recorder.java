package dev.weir.lab.engine;

import dev.weir.lab.measure.FailureKind;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What one engine thread counts during one run. Written by that thread alone and read by others: the seconds meanwhile,
 * through {@link #publish} and {@link #second}, all else after the run. Fed with times, it has no clock.
 *
 * <p>Recording allocates nothing but one {@link Second} a second. Requests in flight are integrated over time: at each
 * change the number before it, times the time since the last change, is added to the second it falls in.
 */
final class Recorder {
    static final long SECOND_NANOS = 1_000_000_000L;
    private static final long LATE_NANOS = 1_000_000L;
    private static final long HIGHEST_NANOS = 3_600L * SECOND_NANOS;
    private static final int STATUSES = 1_000;

    private final boolean closedLoop;
    private final Histogram fromIntended = histogram();
    private final Histogram fromSent = histogram();
    private final Histogram lag = histogram();
    private final Map<FailureKind, LongCounter> failures = new EnumMap<>(FailureKind.class);
    private final Map<FailureKind, String> examples = new EnumMap<>(FailureKind.class);
    private final long[] statuses = new long[STATUSES];

    private long startNanos;
    private long endNanos = Long.MAX_VALUE;
    private long offered;
    private long sent;
    private long completed;
    private long completedInSchedule;
    private long late;
    private long bytes;
    private long opened;

    private @Nullable Second[] seconds = new Second[16];
    private int secondsUsed;
    private volatile @Nullable Second[] published = new Second[0];
    private Second current = new Second();
    private long currentEndNanos;
    private int inFlight;
    private long lastChangeNanos;
    private long inFlightNanos;
    private boolean ended;

    Recorder(boolean closedLoop) {
        this.closedLoop = closedLoop;
    }

    private static Histogram histogram() {
        return new Histogram(1, HIGHEST_NANOS, 3);
    }

    /** Begins the run's time at an absolute time; every later time is absolute too. */
    void begin(long atNanos) {
        startNanos = atNanos;
        lastChangeNanos = atNanos;
        currentEndNanos = atNanos + SECOND_NANOS;
        current = slot(0);
    }

    /** Sets when the schedule ends, from where on requests in flight belong to the drain. */
    void scheduleEndsAt(long atNanos) {
        endNanos = atNanos;
    }

    void connectionOpened() {
        opened++;
    }

    void bytesReceived(int count) {
        bytes += count;
    }

    void offered(long intendedNanos) {
        offered++;
        slotAt(intendedNanos).offered++;
    }

    void sent(long intendedNanos, long sentNanos) {
        advance(sentNanos);
        inFlight++;
        sent++;
        current.sent++;
        if (!closedLoop) {
            long behind = sentNanos - intendedNanos;
            lag.recordValue(bounded(behind));
            if (behind > LATE_NANOS) {
                late++;
            }
        }
    }

    void completed(long intendedNanos, long sentNanos, long nowNanos, int status) {
        left(nowNanos);
        completed++;
        current.completed++;
        statuses[status]++;
        latencies(intendedNanos, sentNanos, nowNanos);
        if (status < 200 || status >= 400) {
            failed(FailureKind.STATUS, null);
        }
    }

    /** A request in flight failed. */
    void failedInFlight(FailureKind kind, @Nullable String why, long intendedNanos, long sentNanos, long nowNanos) {
        left(nowNanos);
        failed(kind, why);
        if (kind == FailureKind.TIMEOUT || kind == FailureKind.UNFINISHED) {
            latencies(intendedNanos, sentNanos, nowNanos);
        }
    }

    /** A request failed that was never sent. */
    void failedUnsent(FailureKind kind, @Nullable String why, long intendedNanos, long nowNanos) {
        advance(nowNanos);
        failed(kind, why);
        if (kind == FailureKind.UNFINISHED) {
            fromIntended(intendedNanos, nowNanos);
        }
    }

    /** Brings the time in flight up to date. */
    void advance(long nowNanos) {
        if (nowNanos >= currentEndNanos || (nowNanos > endNanos && !ended)) {
            cross(nowNanos);
        }
        integrate(nowNanos);
    }

    /** Lets other threads see the seconds as they are now. */
    void publish() {
        published = seconds;
    }

    private void cross(long nowNanos) {
        while (nowNanos >= currentEndNanos || (nowNanos > endNanos && !ended)) {
            if (!ended && endNanos < currentEndNanos) {
                integrate(Math.max(endNanos, lastChangeNanos));
                ended = true;
                completedInSchedule = completed;
            } else {
                integrate(currentEndNanos);
                current = slotAt(currentEndNanos);
                currentEndNanos += SECOND_NANOS;
            }
        }
    }

    private void integrate(long nowNanos) {
        long area = inFlight * (nowNanos - lastChangeNanos);
        lastChangeNanos = nowNanos;
        current.inFlightNanos += area;
        if (!ended) {
            inFlightNanos += area;
        }
    }

    private void left(long nowNanos) {
        advance(nowNanos);
        inFlight--;
    }

    private void failed(FailureKind kind, @Nullable String why) {
        if (failures.computeIfAbsent(kind, first -> new LongCounter()).value++ == 0 && why != null) {
            examples.put(kind, why);
        }
        current.failed++;
    }

    private void latencies(long intendedNanos, long sentNanos, long nowNanos) {
        fromSent.recordValue(bounded(nowNanos - sentNanos));
        fromIntended(intendedNanos, nowNanos);
    }

    private void fromIntended(long intendedNanos, long nowNanos) {
        long latency = bounded(nowNanos - intendedNanos);
        if (!closedLoop) {
            fromIntended.recordValue(latency);
        }
        slotAt(intendedNanos).fromIntended.record(latency);
    }

    private static long bounded(long nanos) {
        return Math.clamp(nanos, 0, HIGHEST_NANOS);
    }

    private Second slotAt(long atNanos) {
        return atNanos >= currentEndNanos - SECOND_NANOS && atNanos < currentEndNanos
                ? current
                : slot((int) (Math.max(0, atNanos - startNanos) / SECOND_NANOS));
    }

    private Second slot(int index) {
        if (index >= seconds.length) {
            seconds = Arrays.copyOf(seconds, Math.max(index + 1, seconds.length * 2));
        }
        Second slot = seconds[index];
        if (slot == null) {
            slot = new Second();
            seconds[index] = slot;
            secondsUsed = Math.max(secondsUsed, index + 1);
        }
        return slot;
    }

    /** This thread's part of a second as last published; null where it has none. From any thread. */
    @Nullable
    Second second(int index) {
        @Nullable Second[] visible = published;
        return index < visible.length ? visible[index] : null;
    }

    int secondsUsed() {
        return secondsUsed;
    }

    /** Ends the recording: nothing is in flight, and nothing more is recorded. */
    void finish() {
        if (!ended) {
            completedInSchedule = completed;
            ended = true;
        }
        if (closedLoop) {
            fromIntended.add(fromSent);
            lag.recordValueWithCount(0, sent);
        }
        publish();
    }

    /** Adds this thread's counts to a sum. */
    void addTo(Sum sum) {
        sum.offered += offered;
        sum.sent += sent;
        sum.completed += completed;
        sum.completedInSchedule += completedInSchedule;
        sum.late += late;
        sum.bytes += bytes;
        sum.opened += opened;
        sum.inFlightNanos += inFlightNanos;
        sum.endNanos = Math.max(sum.endNanos, endNanos);
        sum.lastNanos = Math.max(sum.lastNanos, lastChangeNanos);
        sum.seconds = Math.max(sum.seconds, secondsUsed);
        sum.fromIntended.add(fromIntended);
        sum.fromSent.add(fromSent);
        sum.lag.add(lag);
        failures.forEach((kind, count) -> sum.failures.merge(kind, count.value, Long::sum));
        for (int status = 0; status < STATUSES; status++) {
            if (statuses[status] > 0) {
                sum.statuses.merge(status, statuses[status], Long::sum);
            }
        }
        examples.forEach(sum.examples::putIfAbsent);
    }

    private static final class LongCounter {
        long value;
    }

    /** The counts of all threads. */
    static final class Sum {
        long offered;
        long sent;
        long completed;
        long completedInSchedule;
        long late;
        long bytes;
        long opened;
        long inFlightNanos;
        long endNanos = Long.MIN_VALUE;
        long lastNanos = Long.MIN_VALUE;
        int seconds;
        final Histogram fromIntended = histogram();
        final Histogram fromSent = histogram();
        final Histogram lag = histogram();
        final Map<FailureKind, Long> failures = new EnumMap<>(FailureKind.class);
        final Map<Integer, Long> statuses = new TreeMap<>();
        final Map<FailureKind, String> examples = new EnumMap<>(FailureKind.class);
    }
}
