package dev.weir.starter.shed;

import dev.weir.core.shed.Admission;
import dev.weir.core.shed.Priority;

/**
 * How long a request waits for pooled connections, on average: the time that requests spent waiting, by those that could have waited.
 * That is Little's law over a window that may be short beside the wait: those admitted in it, and no fewer than were seen waiting at
 * once. Threads that wait beyond the requests in flight are somebody else's, such as a job's at night. Not thread-safe.
 */
final class PoolWait {

    private static final double NANOS_PER_MILLI = 1e6;

    private final Admission admission;
    private long sinceNanos;
    private long admittedBefore;
    private long waitingSum;
    private int mostWaiting;
    private int samples;

    PoolWait(Admission admission, long nowNanos) {
        this.admission = admission;
        this.sinceNanos = nowNanos;
        this.admittedBefore = admitted();
    }

    /** @param waiting threads that wait now */
    void sample(int waiting) {
        int ours = Math.clamp(waiting, 0, admission.inFlight());
        waitingSum += ours;
        mostWaiting = Math.max(mostWaiting, ours);
        samples++;
    }

    int samples() {
        return samples;
    }

    /** The mean wait in milliseconds over the samples since the last call. */
    double millis(long nowNanos) {
        long admitted = admitted();
        double windowMillis = (nowNanos - sinceNanos) / NANOS_PER_MILLI;
        double waitedMillis = windowMillis * waitingSum / Math.max(1, samples);
        long requests = Math.max(1, Math.max(mostWaiting, admitted - admittedBefore));
        sinceNanos = nowNanos;
        admittedBefore = admitted;
        waitingSum = 0;
        mostWaiting = 0;
        samples = 0;
        return waitedMillis / requests;
    }

    private long admitted() {
        long sum = 0;
        for (Priority priority : Priority.values()) {
            sum += admission.admitted(priority);
        }
        return sum;
    }
}
