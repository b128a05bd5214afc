package dev.weir.store.gateway;

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
        @Nullable CallbackState callback) {}
