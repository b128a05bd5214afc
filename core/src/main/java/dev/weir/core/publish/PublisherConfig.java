package dev.weir.core.publish;

import java.time.Duration;

/**
 * How a publisher holds back and hands over, checked once.
 *
 * @param bufferEvents events held at most, from being accepted to being acknowledged, 1 to 10,000,000
 * @param bufferBytes bytes held at most, 1 KiB to 16 GiB
 * @param batchEvents as many waiting events are handed over at once, 1 to bufferEvents
 * @param linger an event waits at most so long for a batch to fill, 0 to 1 min
 * @param maxEventBytes a larger event is refused at the call, 1 to bufferBytes
 * @param giveUpAfter an event not acknowledged for so long fails, 1 s to {@link #NEVER}
 * @param topicPatience for how long events of a topic that does not exist wait for it to appear, 0 to 1 h
 * @param attempts how often an event is sent at most when the broker answers with an error that is its own, 1 to 1,000
 * @param retryBackoff first pause after a failure, 1 ms to maxRetryBackoff; doubled each time, with jitter
 * @param maxRetryBackoff longest pause, at most 1 h
 */
public record PublisherConfig(
        int bufferEvents,
        long bufferBytes,
        int batchEvents,
        Duration linger,
        int maxEventBytes,
        Duration giveUpAfter,
        Duration topicPatience,
        int attempts,
        Duration retryBackoff,
        Duration maxRetryBackoff) {

    /** The longest time Kafka's client can be told, 24 days: no event is ever given up. */
    public static final Duration NEVER = Duration.ofMillis(Integer.MAX_VALUE);

    private static final int MOST_EVENTS = 10_000_000;
    private static final long MOST_BYTES = 16L << 30;
    private static final Duration HOUR = Duration.ofHours(1);

    public PublisherConfig {
        require(bufferEvents >= 1 && bufferEvents <= MOST_EVENTS, "buffer-events", bufferEvents, "1 to 10,000,000");
        require(bufferBytes >= 1024 && bufferBytes <= MOST_BYTES, "buffer-bytes", bufferBytes, "1 KiB to 16 GiB");
        require(
                batchEvents >= 1 && batchEvents <= bufferEvents,
                "batch-events",
                batchEvents,
                "1 to buffer-events (" + bufferEvents + ")");
        require(between(linger, Duration.ZERO, Duration.ofMinutes(1)), "linger", linger, "0 to 1 min");
        require(
                maxEventBytes >= 1 && maxEventBytes <= bufferBytes,
                "max-event-bytes",
                maxEventBytes,
                "1 to buffer-bytes (" + bufferBytes + ")");
        require(between(giveUpAfter, Duration.ofSeconds(1), NEVER), "give-up-after", giveUpAfter, "1 s to 24 days");
        require(between(topicPatience, Duration.ZERO, HOUR), "topic-patience", topicPatience, "0 to 1 h");
        require(attempts >= 1 && attempts <= 1_000, "attempts", attempts, "1 to 1,000");
        require(
                between(maxRetryBackoff, Duration.ofMillis(1), HOUR),
                "max-retry-backoff",
                maxRetryBackoff,
                "1 ms to 1 h");
        require(
                between(retryBackoff, Duration.ofMillis(1), maxRetryBackoff),
                "retry-backoff",
                retryBackoff,
                "1 ms to max-retry-backoff (" + maxRetryBackoff + ")");
    }

    /**
     * 10,000 events and 64 MiB, batches of 500 or 50 ms, events up to 1,000,000 bytes, 2 minutes to give up, 10 s for a topic to
     * appear, 5 attempts, pauses of 100 ms to 10 s.
     */
    public static PublisherConfig defaults() {
        return new PublisherConfig(
                10_000,
                64L << 20,
                500,
                Duration.ofMillis(50),
                1_000_000,
                Duration.ofMinutes(2),
                Duration.ofSeconds(10),
                5,
                Duration.ofMillis(100),
                Duration.ofSeconds(10));
    }

    /** The same with another bound on events and bytes. */
    public PublisherConfig withBuffer(int events, long bytes) {
        return new PublisherConfig(
                events,
                bytes,
                Math.min(batchEvents, events),
                linger,
                (int) Math.min(maxEventBytes, bytes),
                giveUpAfter,
                topicPatience,
                attempts,
                retryBackoff,
                maxRetryBackoff);
    }

    /** The same with batches of so many events or of this age. */
    public PublisherConfig withBatch(int events, Duration age) {
        return new PublisherConfig(
                bufferEvents,
                bufferBytes,
                events,
                age,
                maxEventBytes,
                giveUpAfter,
                topicPatience,
                attempts,
                retryBackoff,
                maxRetryBackoff);
    }

    /** The same with another bound on one event. */
    public PublisherConfig withMaxEventBytes(int bytes) {
        return new PublisherConfig(
                bufferEvents,
                bufferBytes,
                batchEvents,
                linger,
                bytes,
                giveUpAfter,
                topicPatience,
                attempts,
                retryBackoff,
                maxRetryBackoff);
    }

    /** The same with another time after which an event fails. */
    public PublisherConfig withGiveUpAfter(Duration time) {
        return new PublisherConfig(
                bufferEvents,
                bufferBytes,
                batchEvents,
                linger,
                maxEventBytes,
                time,
                topicPatience,
                attempts,
                retryBackoff,
                maxRetryBackoff);
    }

    /** The same with another time for a topic to appear. */
    public PublisherConfig withTopicPatience(Duration time) {
        return new PublisherConfig(
                bufferEvents,
                bufferBytes,
                batchEvents,
                linger,
                maxEventBytes,
                giveUpAfter,
                time,
                attempts,
                retryBackoff,
                maxRetryBackoff);
    }

    /** The same with other attempts and pauses. */
    public PublisherConfig withRetries(int most, Duration firstPause, Duration longestPause) {
        return new PublisherConfig(
                bufferEvents,
                bufferBytes,
                batchEvents,
                linger,
                maxEventBytes,
                giveUpAfter,
                topicPatience,
                most,
                firstPause,
                longestPause);
    }

    Backoff backoff() {
        return new Backoff(retryBackoff.toNanos(), maxRetryBackoff.toNanos());
    }

    private static boolean between(Duration given, Duration least, Duration most) {
        return given.compareTo(least) >= 0 && given.compareTo(most) <= 0;
    }

    private static void require(boolean right, String setting, Object given, String allowed) {
        if (!right) {
            throw new IllegalArgumentException(
                    "Publisher: " + setting + " is " + given + "; allowed is " + allowed + ". Change " + setting + ".");
        }
    }
}
