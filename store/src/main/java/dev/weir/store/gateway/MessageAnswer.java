package dev.weir.store.gateway;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a client is told of its message.
 *
 * @param statusUrl where this can be asked for again
 * @param queueLength messages of all clients that wait, of all instances
 * @param clientQueueLength of these, the client's own
 * @param estimate when it will be sent; only while it is queued
 * @param endedAt when the provider took it or refused it
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record MessageAnswer(
        UUID id,
        MessageStatus status,
        String statusUrl,
        Instant acceptedAt,
        @Nullable Long queueLength,
        @Nullable Long clientQueueLength,
        @Nullable Estimate estimate,
        @Nullable Instant endedAt,
        @Nullable String providerId,
        @Nullable String reason,
        @Nullable CallbackState callback) {

    /**
     * When a message will be sent.
     *
     * @param waitMillis from now, if no client sends more than what is accepted by now
     * @param latestWaitMillis from now, if every client that has something waiting now always has
     * @param sendAt the moment that {@code waitMillis} means
     * @param perSecond the pace reckoned with
     * @param standstillMillis for how long nothing has been sent; what lasts is taken to last as long again
     */
    record Estimate(long waitMillis, long latestWaitMillis, Instant sendAt, double perSecond, long standstillMillis) {}
}
