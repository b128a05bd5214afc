package dev.weir.store.messages;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * How long the mock endpoints wait.
 *
 * @param delay 0 to 60 s
 */
@ConfigurationProperties("store.mock")
record MockSettings(Duration delay) {

    private static final Duration LONGEST = Duration.ofSeconds(60);

    MockSettings {
        if (delay.isNegative() || delay.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "store.mock.delay is " + delay.toMillis() + "ms: give a duration from 0ms to 60s.");
        }
    }
}
