package dev.weir.store.messages;

import java.net.URI;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Where messages are sent.
 *
 * @param url the provider, without the path {@code /messages}
 * @param timeout how long a send may take from its beginning to the end of the answer, above 0
 * @param maxConnections connections kept to the provider, 1 to 100,000; twice as many sends may wait for one
 */
@ConfigurationProperties("store.messages")
record MessageProviderSettings(URI url, Duration timeout, int maxConnections) {

    MessageProviderSettings {
        if ((!"http".equals(url.getScheme()) && !"https".equals(url.getScheme())) || url.getHost() == null) {
            throw new IllegalArgumentException(
                    "store.messages.url is '" + url + "': give an address such as http://127.0.0.1:8090.");
        }
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException(
                    "store.messages.timeout is " + timeout.toMillis() + "ms: give a duration above 0, such as 5s.");
        }
        if (maxConnections < 1 || maxConnections > 100_000) {
            throw new IllegalArgumentException(
                    "store.messages.max-connections is " + maxConnections + ": give a number from 1 to 100000.");
        }
    }
}
