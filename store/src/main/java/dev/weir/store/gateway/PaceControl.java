package dev.weir.store.gateway;

import java.time.Duration;

/**
 * How fast to send: at the provider's limit while it takes everything, below what it took when it refused, and carefully up again.
 *
 * <p>A refusal (429) says that the limit is lower than thought; what the provider took in the second before says where it is, if the pace was
 * used up all that second. Where less was sent for want of messages, that number is the demand and says nothing of the limit; then the pace
 * itself was too high. Nor is it believed below half of the pace: a provider that counts by a small bucket refuses a few milliseconds after a
 * pause, and has taken next to nothing then. From nine tenths of what was too high the pace follows a cubic curve as in CUBIC congestion
 * control (RFC 9438): slow towards the rate that was refused, reached after 30 s, and faster the longer nothing is refused beyond it; a
 * straight line, half a percent of the limit a second, keeps a very low start from staying low. After a refusal nothing is sent for as long as the provider asks for. Refusals of what was sent before the last
 * cut belong to that cut and change nothing.
 *
 * <p>One percent below the limit, since the provider counts by its own clock. Not safe for several threads.
 */
final class PaceControl {

    private static final double HEADROOM = 0.99;
    private static final double CUT = 0.9;
    private static final double LEAST_KEPT = 0.5;
    private static final double LEAST_PER_SECOND = 1;
    private static final double RECOVERY_SECONDS = 30;
    private static final double LINE_SHARE_PER_SECOND = 0.005;
    private static final long LONGEST_HOLD_NANOS = Duration.ofSeconds(60).toNanos();
    private static final double NANOS_PER_SECOND = 1e9;

    private final LastSecond taken;
    private long slackNanos;
    private double limitPerSecond;
    private boolean cut;
    private double ceilingPerSecond;
    private long cutAtNanos;
    private long holdUntilNanos;
    private long cuts;

    /** At this limit, above 0. */
    PaceControl(double limitPerSecond, long nowNanos) {
        this.limitPerSecond = limitPerSecond;
        this.taken = new LastSecond(nowNanos);
        this.slackNanos = nowNanos;
        this.holdUntilNanos = nowNanos;
    }

    /** Another limit, above 0, as when instances come and go. */
    void limit(double perSecond) {
        limitPerSecond = perSecond;
    }

    /** At this moment less is sent than the pace permits. */
    void slack(long nowNanos) {
        slackNanos = nowNanos;
    }

    /** The provider took one. */
    void taken(long nowNanos) {
        taken.add(nowNanos);
    }

    /**
     * The provider refused one because it was too many.
     *
     * @param sentNanos when that one was sent
     */
    void refused(long sentNanos, Duration retryAfter, long nowNanos) {
        if (cut && sentNanos - cutAtNanos < 0) {
            return;
        }
        double before = perSecond(nowNanos);
        ceilingPerSecond =
                wasUsedUp(nowNanos) ? Math.clamp((double) taken.count(nowNanos), before * LEAST_KEPT, before) : before;
        cut = true;
        cuts++;
        cutAtNanos = nowNanos;
        holdUntilNanos = nowNanos + Math.clamp(retryAfter.toNanos(), 0, LONGEST_HOLD_NANOS);
    }

    private boolean wasUsedUp(long nowNanos) {
        return nowNanos - slackNanos >= NANOS_PER_SECOND;
    }

    /** How long nothing may be sent; 0 or less: not at all. */
    long holdNanos(long nowNanos) {
        return holdUntilNanos - nowNanos;
    }

    /** The pace at this moment, above 0; the hold is apart. */
    double perSecond(long nowNanos) {
        double most = Math.max(LEAST_PER_SECOND, limitPerSecond * HEADROOM);
        if (!cut) {
            return most;
        }
        double seconds = Math.max(0, nowNanos - holdUntilNanos) / NANOS_PER_SECOND;
        double pace = Math.max(LEAST_PER_SECOND, Math.max(cubic(seconds), line(seconds)));
        if (pace >= most) {
            cut = false;
            return most;
        }
        return pace;
    }

    private double cubic(double seconds) {
        double distance = (seconds - RECOVERY_SECONDS) / RECOVERY_SECONDS;
        return ceilingPerSecond * (1 + (1 - CUT) * distance * distance * distance);
    }

    private double line(double seconds) {
        double beyond = seconds - RECOVERY_SECONDS;
        return beyond <= 0 ? 0 : ceilingPerSecond + LINE_SHARE_PER_SECOND * limitPerSecond * beyond;
    }

    /** How often it was lowered. */
    long cuts() {
        return cuts;
    }

    /** Counts over the last second, exact to a tenth of it. */
    private static final class LastSecond {

        private static final int SLOTS = 10;
        private static final long SLOT_NANOS = 100_000_000;

        private final long originNanos;
        private final long[] counts = new long[SLOTS];
        private long slot;

        LastSecond(long nowNanos) {
            this.originNanos = nowNanos;
        }

        void add(long nowNanos) {
            forget(nowNanos);
            counts[(int) (slot % SLOTS)]++;
        }

        long count(long nowNanos) {
            forget(nowNanos);
            long sum = 0;
            for (long count : counts) {
                sum += count;
            }
            return sum;
        }

        private void forget(long nowNanos) {
            long now = (nowNanos - originNanos) / SLOT_NANOS;
            for (long each = Math.max(slot + 1, now - SLOTS + 1); each <= now; each++) {
                counts[(int) (each % SLOTS)] = 0;
            }
            slot = Math.max(slot, now);
        }
    }
}
