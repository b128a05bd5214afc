package dev.weir.store.gateway;

import dev.weir.store.problems.ProblemException;
import dev.weir.store.problems.ProblemType;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Who may hand in a message now, and what the others are told. Any thread may use it. */
final class Admission {

    private static final double JITTER = 0.25;

    private final ClientQuotas quotas;
    private final QueueView view;
    private final Duration maxWait;
    private final GatewaySettings.Clients limits;
    private final RandomGenerator random;

    /** @param random for the times after which to come again; safe for several threads */
    Admission(
            ClientQuotas quotas,
            QueueView view,
            Duration maxWait,
            GatewaySettings.Clients limits,
            RandomGenerator random) {
        this.quotas = quotas;
        this.view = view;
        this.maxWait = maxWait;
        this.limits = limits;
        this.random = random;
    }

    /** @throws ProblemException if the client hands in too many a second */
    void requireQuota(String client) {
        quotas.take(client).ifPresent(wait -> {
            throw new ProblemException(
                            ProblemType.CLIENT_OVER_LIMIT,
                            "The client " + client + " hands in more than " + limits.perSecond()
                                    + " messages a second: slow down.")
                    .retryAfter(wait);
        });
    }

    /** Why no message of the client is accepted now; where empty, one may be handed in, and {@link #settled} must follow. */
    Optional<ProblemException> refusal(String client) {
        return switch (view.admit(client, maxWait, limits.maxQueued())) {
            case QueueView.Decision.Admitted _ -> Optional.empty();
            case QueueView.Decision.TooLong(Wait wait) -> Optional.of(tooLong(client, wait.expected()));
            case QueueView.Decision.TooMany(long waiting) ->
                Optional.of(new ProblemException(
                                ProblemType.CLIENT_OVER_LIMIT,
                                "Of the client " + client + " " + waiting + " messages wait already, at most "
                                        + limits.maxQueued() + " may: hand in more when some have been sent.")
                        .retryAfter(Duration.ofSeconds(1)));
        };
    }

    /** What was admitted has been handed in, or has not. */
    void settled(String client) {
        view.settled(client);
    }

    /** The queue has room again for one message when the wait has fallen to the bound; not for all who ask at the same moment. */
    private ProblemException tooLong(String client, Duration wait) {
        long overMillis = Math.max(0, wait.minus(maxWait).toMillis());
        long jitterMillis = (long) (random.nextDouble() * JITTER * (overMillis + maxWait.toMillis() * JITTER));
        return new ProblemException(
                        ProblemType.QUEUE_TOO_LONG,
                        "The message would be sent in about " + wait.toSeconds()
                                + " s, and none is accepted that waits longer than " + maxWait.toSeconds()
                                + " s: hand it in again after the time in Retry-After.")
                .with("estimatedWaitMillis", wait.toMillis())
                .with("maxWaitMillis", maxWait.toMillis())
                .with("queueLength", view.waiting())
                .with("clientQueueLength", view.waiting(client))
                .retryAfter(Duration.ofMillis(overMillis + jitterMillis));
    }

    /** What is told where so many wait for one recipient. */
    ProblemException recipientFull(String client, int waiting, Duration expected) {
        var problem = tooLong(client, expected);
        problem.getBody()
                .setDetail(waiting
                        + " messages wait for this recipient, which gets one at a time; the next would be sent in about "
                        + expected.toSeconds() + " s, and none is accepted that waits longer than "
                        + maxWait.toSeconds() + " s: hand it in again after the time in Retry-After.");
        return problem.with("recipientQueueLength", waiting);
    }
}
