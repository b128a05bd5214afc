package dev.weir.store.gateway;

import java.time.Duration;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Decides what is sent when: which message, at which pace, how many at once, and what follows from each answer. It has no thread and no
 * clock.
 *
 * <p>When the provider fails on five in a row it counts as away: one message at a time then asks whether it is back, with growing
 * pauses and each time another one, so that a message that makes the provider fail is not mistaken for an outage. Failures count against
 * a message only where the provider took others since its last one; so an outage, however long, fails nothing. Not safe for several
 * threads.
 */
final class SendPlan {

    private static final Duration BURST = Duration.ofMillis(10);
    private static final int AWAY_AFTER = 5;
    private static final long FIRST_PROBE_NANOS = Duration.ofMillis(100).toNanos();
    private static final long LONGEST_PROBE_NANOS = Duration.ofSeconds(5).toNanos();
    private static final int MOST_DOUBLINGS = 30;
    private static final double NEW_SHARE = 0.05;
    /** What a provider is taken to need before it has answered: too early a promise is worse than too late a one. */
    private static final Duration ASSUMED_SEND = Duration.ofMillis(100);

    /** How messages are tried again; see {@link GatewaySettings}. */
    record Retries(int attempts, Duration backoff, Duration maxBackoff) {}

    /** What to do next. */
    sealed interface Step {

        /** Send this one now and tell the answer. */
        record Send(FairQueue.Entry<Held> entry) implements Step {}

        /** Nothing before this time has passed, or something else has happened. */
        record Pause(long nanos) implements Step {}
    }

    private static final Step UNTIL_NEWS = new Step.Pause(Long.MAX_VALUE);

    private final FairQueue<Held> queue = new FairQueue<>();
    private final PaceControl control;
    private final Pacer pacer;
    private final int maxInFlight;
    private final Retries retries;
    private final RandomGenerator random;
    private int inFlight;
    private int troubles;
    private long probeAtNanos;
    private long successes;
    private final Mean sendNanos = new Mean((double) ASSUMED_SEND.toNanos(), NEW_SHARE);
    private boolean ranDry = true;

    SendPlan(double perSecond, int maxInFlight, Retries retries, RandomGenerator random, long nowNanos) {
        this.control = new PaceControl(perSecond, nowNanos);
        this.pacer = new Pacer(BURST, nowNanos);
        this.maxInFlight = maxInFlight;
        this.retries = retries;
        this.random = random;
        this.probeAtNanos = nowNanos;
    }

    /** Adds a message behind those of its client and recipient. */
    void add(Held held) {
        Outgoing message = held.message();
        queue.add(message.client(), message.to(), message.number(), held);
    }

    /** Takes out waiting messages that are another instance's now. */
    void removeIf(Predicate<Held> gone) {
        queue.removeIf(gone);
    }

    /** What to do now. */
    Step next(long nowNanos) {
        if (queue.size() == 0) {
            idle(nowNanos);
        }
        if (isAway()) {
            control.slack(nowNanos);
        }
        if (inFlight >= (isAway() ? 1 : maxInFlight)) {
            return UNTIL_NEWS;
        }
        long wait = Math.max(control.holdNanos(nowNanos), pacer.delayNanos(nowNanos));
        if (isAway()) {
            wait = Math.max(wait, probeAtNanos - nowNanos);
        }
        if (wait > 0) {
            return new Step.Pause(wait);
        }
        FairQueue.Entry<Held> entry = queue.next(nowNanos);
        if (entry == null) {
            idle(nowNanos);
            return new Step.Pause(queue.delayNanos(nowNanos));
        }
        pacer.take(control.perSecond(nowNanos), nowNanos);
        inFlight++;
        Held held = entry.item();
        held.sentNanos = nowNanos;
        if (held.successesSeen < 0) {
            held.successesSeen = successes;
        }
        return new Step.Send(entry);
    }

    /** At this moment nothing is sent, although it might be. */
    void idle(long nowNanos) {
        ranDry = true;
        control.slack(nowNanos);
    }

    /**
     * Takes an answer; says how the message ended, or null where it is to be tried again, or is another instance's now. That one tries again
     * and says what failed; here it is only known what the provider has taken.
     */
    MessageTable.@Nullable Ending answered(FairQueue.Entry<Held> entry, ProviderAnswer answer, long nowNanos) {
        inFlight--;
        Held held = entry.item();
        learn(held, answer, nowNanos);
        return switch (answer) {
            case ProviderAnswer.Taken(String id) -> ended(entry, MessageStatus.SENT, id, null);
            case ProviderAnswer.Refused _, ProviderAnswer.Busy _, ProviderAnswer.Trouble _
            when held.lost -> {
                queue.end(entry);
                yield null;
            }
            case ProviderAnswer.Refused(String reason) -> ended(entry, MessageStatus.FAILED, null, reason);
            case ProviderAnswer.Busy _ -> {
                queue.putBack(entry, nowNanos);
                yield null;
            }
            case ProviderAnswer.Trouble(String reason) -> troubled(entry, reason, nowNanos);
        };
    }

    /** What the answer says of the provider, whoever's the message is. */
    private void learn(Held held, ProviderAnswer answer, long nowNanos) {
        switch (answer) {
            case ProviderAnswer.Taken _ -> {
                control.taken(nowNanos);
                sendNanos.add((double) (nowNanos - held.sentNanos));
                worked();
            }
            case ProviderAnswer.Refused _ -> worked();
            case ProviderAnswer.Busy(Duration retryAfter) -> control.refused(held.sentNanos, retryAfter, nowNanos);
            case ProviderAnswer.Trouble _ -> {
                troubles++;
                if (isAway()) {
                    probeAtNanos = nowNanos + doubled(FIRST_PROBE_NANOS, troubles - AWAY_AFTER, LONGEST_PROBE_NANOS);
                }
            }
        }
    }

    private void worked() {
        troubles = 0;
        successes++;
    }

    private MessageTable.Ending ended(
            FairQueue.Entry<Held> entry, MessageStatus status, @Nullable String providerId, @Nullable String reason) {
        queue.end(entry);
        return new MessageTable.Ending(entry.item().message().id(), status, providerId, reason);
    }

    private MessageTable.@Nullable Ending troubled(FairQueue.Entry<Held> entry, String reason, long nowNanos) {
        Held held = entry.item();
        held.failures++;
        if (successes > held.successesSeen) {
            held.attempts++;
            held.successesSeen = successes;
        }
        if (held.attempts >= retries.attempts()) {
            queue.end(entry);
            return new MessageTable.Ending(held.message().id(), MessageStatus.FAILED, null, reason);
        }
        long backoff = doubled(
                retries.backoff().toNanos(),
                held.failures - 1,
                retries.maxBackoff().toNanos());
        queue.putBack(entry, nowNanos + backoff / 2 + (long) (random.nextDouble() * backoff / 2));
        return null;
    }

    private static long doubled(long first, int times, long most) {
        return times >= MOST_DOUBLINGS ? most : Math.min(most, first << Math.max(0, times));
    }

    /** Whether the provider is thought to be away. */
    boolean isAway() {
        return troubles >= AWAY_AFTER;
    }

    /** Another share of the provider's limit. */
    void limit(double perSecond) {
        control.limit(perSecond);
    }

    /** The pace permitted at this moment, messages a second. */
    double perSecond(long nowNanos) {
        return control.perSecond(nowNanos);
    }

    /** How often the provider's refusals have lowered the pace. */
    long cuts() {
        return control.cuts();
    }

    /** Whether there was always something to send since the last call. */
    boolean wasBacklogged() {
        boolean backlogged = !ranDry;
        ranDry = false;
        return backlogged;
    }

    /** How long the provider takes for one message, on average; assumed until it has answered. */
    Duration sendTime() {
        return Duration.ofNanos((long) sendNanos.value());
    }

    /** Whether the provider has answered yet. */
    boolean hasSent() {
        return sendNanos.isMeasured();
    }

    /** What other instances have measured, to be assumed until the provider has answered this one. */
    void assumeSendTime(Duration ofOthers) {
        sendNanos.assume((double) ofOthers.toNanos());
    }

    /** How long a message that is to be tried again waits at least; 0 or less: not at all. */
    static long delayNanos(FairQueue.Entry<Held> entry, long nowNanos) {
        return entry.dueNanos() - nowNanos;
    }

    int inFlight() {
        return inFlight;
    }

    /** Messages in hand that are not under way. */
    int waiting() {
        return queue.size();
    }
}
