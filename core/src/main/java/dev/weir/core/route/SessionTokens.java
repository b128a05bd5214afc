package dev.weir.core.route;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A session's position as text that only holders of a key can make: a client that could choose its position would send all
 * of its reads to the primary. The text holds a version, the position, the second of issue and 16 bytes of HMAC-SHA-256
 * (RFC 2104) over them. It says nothing about the user and is of no use to another one. Any thread may call it.
 */
public final class SessionTokens {

    /** What a token came to. */
    public sealed interface Reading {}

    /** Issued by a holder of the key, and young enough. */
    public record Valid(long lsn) implements Reading {}

    /** Issued by a holder of the key, too long ago to matter. */
    public record Expired() implements Reading {}

    /** Not issued by a holder of the key, or damaged. */
    public record Invalid() implements Reading {}

    /** Fewest bytes a key may have. */
    public static final int LEAST_KEY_BYTES = 16;

    private static final byte VERSION = 1;
    private static final int BODY_BYTES = 1 + 2 * Long.BYTES;
    private static final int MAC_BYTES = 16;
    private static final int TOKEN_CHARACTERS = 44;
    private static final Reading EXPIRED = new Expired();
    private static final Reading INVALID = new Invalid();
    private static final String ALGORITHM = "HmacSHA256";

    private final List<SecretKeySpec> keys;
    private final long maxAgeSeconds;
    private final InstantSource clock;

    /**
     * @param keys the first one signs, all are accepted, so that a key can be replaced; each at least 16 bytes
     * @param maxAge after which a token is ignored; every replica that serves must have replayed by then what is older
     * @param clock wall clock; those of the instances may differ by up to {@code maxAge}
     */
    public SessionTokens(List<byte[]> keys, Duration maxAge, InstantSource clock) {
        if (keys.isEmpty() || keys.stream().anyMatch(key -> key.length < LEAST_KEY_BYTES)) {
            throw new IllegalArgumentException(
                    "A key for session tokens is missing or too short; it must have at least %d bytes."
                            .formatted(LEAST_KEY_BYTES));
        }
        this.keys = keys.stream().map(key -> new SecretKeySpec(key, ALGORITHM)).toList();
        this.maxAgeSeconds = maxAge.toSeconds();
        this.clock = clock;
    }

    /** A token for this position, 44 characters that may stand in a cookie or a header. */
    public String issue(long lsn) {
        ByteBuffer token = ByteBuffer.allocate(BODY_BYTES + MAC_BYTES);
        token.put(VERSION).putLong(lsn).putLong(nowSeconds());
        token.put(mac(keys.getFirst(), token.array()), 0, MAC_BYTES);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(token.array());
    }

    /** Reads what a client sent; never throws. */
    public Reading read(String text) {
        byte[] token = decode(text);
        if (token.length != BODY_BYTES + MAC_BYTES || token[0] != VERSION || !isSigned(token)) {
            return INVALID;
        }
        ByteBuffer body = ByteBuffer.wrap(token, 1, 2 * Long.BYTES);
        long lsn = body.getLong();
        long ageSeconds = nowSeconds() - body.getLong();
        return Math.abs(ageSeconds) <= maxAgeSeconds ? new Valid(lsn) : EXPIRED;
    }

    private static byte[] decode(String text) {
        if (text.length() != TOKEN_CHARACTERS) {
            return new byte[0];
        }
        try {
            return Base64.getUrlDecoder().decode(text);
        } catch (IllegalArgumentException garbage) {
            return new byte[0];
        }
    }

    private boolean isSigned(byte[] token) {
        byte[] given = Arrays.copyOfRange(token, BODY_BYTES, token.length);
        boolean signed = false;
        for (SecretKeySpec key : keys) {
            signed |= MessageDigest.isEqual(Arrays.copyOf(mac(key, token), MAC_BYTES), given);
        }
        return signed;
    }

    private static byte[] mac(SecretKeySpec key, byte[] token) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(token, 0, BODY_BYTES);
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(
                    "This JVM has no " + ALGORITHM + ", which every Java platform must have.", e);
        }
    }

    private long nowSeconds() {
        return clock.instant().getEpochSecond();
    }
}
