package dev.weir.core.shed;

import java.time.Duration;

/**
 * The short line before a full limit, for callers that may block.
 *
 * @param length how many may wait at once, 0 for none
 * @param maxWait how long one waits at most, above 0 where any may wait
 */
public record QueueConfig(int length, Duration maxWait) {

    public QueueConfig {
        if (length < 0) {
            throw new IllegalArgumentException("The queue's length is %d; it must be 0 or more.".formatted(length));
        }
        if (length > 0 && (maxWait.isNegative() || maxWait.isZero())) {
            throw new IllegalArgumentException("max-wait is %s; it must be above 0.".formatted(maxWait));
        }
    }

    /** 256 wait up to 100 ms. */
    public static QueueConfig defaults() {
        return new QueueConfig(256, Duration.ofMillis(100));
    }

    /** Nobody waits. */
    public static QueueConfig none() {
        return new QueueConfig(0, Duration.ZERO);
    }
}
