package dev.weir.store.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

class SignatureTest {

    private final Signature signature = new Signature("a-secret-of-the-store-alone");

    @Test
    void isWhatStandardWebhooksLibrariesCheck() throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(signature.keyOf("shop"), "HmacSHA256"));
        byte[] expected = mac.doFinal("id-1.1700000000.{\"a\":1}".getBytes(StandardCharsets.UTF_8));

        String header = signature.sign("shop", "id-1", 1_700_000_000, "{\"a\":1}");

        assertThat(header).isEqualTo("v1," + Base64.getEncoder().encodeToString(expected));
    }

    @Test
    void dependsOnClientIdTimeAndBody() {
        String header = signature.sign("shop", "id", 1, "body");

        assertThat(signature.sign("other", "id", 1, "body")).isNotEqualTo(header);
        assertThat(signature.sign("shop", "id2", 1, "body")).isNotEqualTo(header);
        assertThat(signature.sign("shop", "id", 2, "body")).isNotEqualTo(header);
        assertThat(signature.sign("shop", "id", 1, "body2")).isNotEqualTo(header);
    }
}
