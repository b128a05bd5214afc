package dev.weir.store.payments;

import java.net.URI;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * How the payment provider is reached.
 *
 * @param url the provider, without the path {@code /charges}
 * @param connectTimeout how long a connection may take, above 0
 * @param timeout how long an answer may take, above 0
 */
@ConfigurationProperties("store.payments")
record PaymentSettings(URI url, Duration connectTimeout, Duration timeout) {

    PaymentSettings {
        if ((!"http".equals(url.getScheme()) && !"https".equals(url.getScheme())) || url.getHost() == null) {
            throw new IllegalArgumentException(
                    "store.payments.url is '" + url + "': give an address such as http://127.0.0.1:8090.");
        }
        requirePositive("store.payments.connect-timeout", connectTimeout);
        requirePositive("store.payments.timeout", timeout);
    }

    private static void requirePositive(String name, Duration duration) {
        if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException(
                    name + " is " + duration.toMillis() + "ms: give a duration above 0, such as 5s.");
        }
    }
}
