package dev.weir.store.gateway;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A message about to be accepted.
 *
 * @param id its own, in the order of time (UUID version 7)
 * @param key the client's Idempotency-Key
 */
record NewMessage(
        UUID id,
        String client,
        String to,
        String text,
        @Nullable String callbackUrl,
        @Nullable String key) {

    private static final int TIME_SHIFT = 16;

    /** A version 7 UUID (RFC 9562): milliseconds, then chance. */
    static UUID newId(long unixMillis) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        long most = (unixMillis << TIME_SHIFT) | 0x7000L | (random.nextLong() & 0xFFFL);
        long least = (random.nextLong() >>> 2) | 0x8000_0000_0000_0000L;
        return new UUID(most, least);
    }

    /** The milliseconds of such an id. */
    static long unixMillis(UUID id) {
        return id.getMostSignificantBits() >>> TIME_SHIFT;
    }

    /** The same for two requests that ask for the same. */
    String fingerprint() {
        String all = to.length() + ":" + to + text.length() + ":" + text + (callbackUrl == null ? "" : callbackUrl);
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(all.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
