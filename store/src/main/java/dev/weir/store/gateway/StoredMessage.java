package dev.weir.store.gateway;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message's row.
 *
 * @param number in its client's line, from 1
 * @param providerId the provider's receipt
 * @param reason why it failed
 * @param endedAt when it was sent or failed
 * @param callback what became of the callback; null where none was asked for
 * @param before while it is queued: messages of its client to its recipient that go before it
 * @param delay while it is queued: until the last of those and itself that is tried again may be sent
 */
record StoredMessage(
        UUID id,
        String client,
        String to,
        long number,
        MessageStatus status,
        @Nullable String fingerprint,
        @Nullable String providerId,
        @Nullable String reason,
        Instant acceptedAt,
        @Nullable Instant endedAt,
        @Nullable CallbackState callback,
        int before,
        Duration delay) {}
