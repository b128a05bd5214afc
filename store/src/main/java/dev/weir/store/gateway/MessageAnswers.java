package dev.weir.store.gateway;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Says how messages stand, with an estimate while they wait. Any thread may use it. */
final class MessageAnswers {

    private final QueueView view;
    private final DoubleSupplier perSecond;
    private final Supplier<Duration> sendTime;
    private final InstantSource clock;

    /**
     * From what is known now.
     *
     * @param perSecond messages sent a second by all instances
     * @param sendTime how long the provider takes for one message
     */
    MessageAnswers(QueueView view, DoubleSupplier perSecond, Supplier<Duration> sendTime, InstantSource clock) {
        this.view = view;
        this.perSecond = perSecond;
        this.sendTime = sendTime;
        this.clock = clock;
    }

    /** Where a message can be asked for. */
    static String url(UUID id) {
        return "/api/messages/" + id;
    }

    /** One that has been accepted now. */
    MessageAnswer accepted(String client, Acceptance.Queued queued, @Nullable CallbackState callback) {
        Duration lane = lane(queued.before(), queued.delay());
        return queued(client, queued.id(), queued.number(), queued.acceptedAt(), lane, callback);
    }

    /** One as it is stored. */
    MessageAnswer stored(StoredMessage message) {
        if (message.status() == MessageStatus.QUEUED) {
            return queued(
                    message.client(),
                    message.id(),
                    message.number(),
                    message.acceptedAt(),
                    lane(message.before(), message.delay()),
                    message.callback());
        }
        return new MessageAnswer(
                message.id(),
                message.status(),
                url(message.id()),
                message.acceptedAt(),
                null,
                null,
                null,
                message.endedAt(),
                message.providerId(),
                message.reason(),
                message.callback());
    }

    /** A recipient gets one message at a time, and one that is tried again holds up those behind it. */
    private Duration lane(int before, Duration delay) {
        return sendTime.get().multipliedBy(before + 1L).plus(delay);
    }

    private MessageAnswer queued(
            String client, UUID id, long number, Instant acceptedAt, Duration lane, @Nullable CallbackState callback) {
        QueueView.Standing standing = view.standing(client, number);
        Wait wait = standing.estimate().atLeast(lane);
        var estimate = new MessageAnswer.Estimate(
                wait.expected().toMillis(),
                wait.latest().toMillis(),
                clock.instant().plus(wait.expected()),
                Math.rint(perSecond.getAsDouble() * 10) / 10,
                standing.standstill().toMillis());
        return new MessageAnswer(
                id,
                MessageStatus.QUEUED,
                url(id),
                acceptedAt,
                standing.queued(),
                standing.ofClient(),
                estimate,
                null,
                null,
                null,
                callback);
    }
}
