package dev.weir.store.gateway;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs callbacks as Standard Webhooks describes (github.com/standard-webhooks): HMAC-SHA256 over id, time and body. Each client has a key
 * of its own, made from the store's secret and the client's name, so none can forge a callback to another. Any thread may use it.
 */
final class Signature {

    private static final String ALGORITHM = "HmacSHA256";

    private final byte[] secret;

    Signature(String secret) {
        this.secret = secret.getBytes(StandardCharsets.UTF_8);
    }

    /** What a client checks with: HMAC-SHA256 of its name under the store's secret. */
    byte[] keyOf(String client) {
        return hmac(secret, client);
    }

    /** The header webhook-signature. */
    String sign(String client, String id, long unixSeconds, String body) {
        return "v1," + Base64.getEncoder().encodeToString(hmac(keyOf(client), id + "." + unixSeconds + "." + body));
    }

    private static byte[] hmac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("Every Java platform has HMAC-SHA256", e);
        }
    }
}
