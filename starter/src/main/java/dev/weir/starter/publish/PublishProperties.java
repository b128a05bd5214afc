package dev.weir.starter.publish;

import dev.weir.core.publish.PublisherConfig;
import dev.weir.core.publish.spool.SpoolConfig;
import dev.weir.starter.SettingException;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Events to Kafka in batches, in order per key.
 *
 * @param enabled whether there is a publisher
 * @param bufferEvents events held at most, from being accepted to being acknowledged
 * @param bufferBytes bytes held at most
 * @param batchEvents as many waiting events are handed over at once, at most buffer-events
 * @param linger an event waits at most so long for a batch to fill
 * @param maxEventBytes a larger event is refused at the call
 * @param giveUpAfter an event not acknowledged for so long fails
 * @param topicPatience for how long events of a topic that does not exist wait for it to appear
 * @param attempts how often an event is sent at most when the broker answers with an error that is its own
 * @param retryBackoff first pause after a failure; doubled each time, with jitter
 * @param maxRetryBackoff longest pause
 * @param drain how long a stop waits for what was accepted to be acknowledged, 0s to 10m
 * @param kafka settings of Kafka's client by its own names, for weir.publish and weir.outbox; bootstrap.servers is by default what
 *     spring.kafka says
 * @param spool where events are kept on disk
 */
@ConfigurationProperties(prefix = "weir.publish", ignoreUnknownFields = false)
record PublishProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("10000") int bufferEvents,
        @DefaultValue("64MB") DataSize bufferBytes,
        @DefaultValue("500") int batchEvents,
        @DefaultValue("50ms") Duration linger,
        @DefaultValue("1000000B") DataSize maxEventBytes,
        @DefaultValue("2m") Duration giveUpAfter,
        @DefaultValue("10s") Duration topicPatience,
        @DefaultValue("5") int attempts,
        @DefaultValue("100ms") Duration retryBackoff,
        @DefaultValue("10s") Duration maxRetryBackoff,
        @DefaultValue("10s") Duration drain,
        @DefaultValue Map<String, String> kafka,
        @DefaultValue Spool spool) {

    private static final Duration LONGEST_DRAIN = Duration.ofMinutes(10);

    /**
     * Events on disk.
     *
     * @param folder of this instance alone, on a disk that outlives it; not set: nothing is kept on disk
     * @param maxBytes events not delivered yet may take so much of the disk
     */
    record Spool(
            @Nullable String folder, @DefaultValue("1GB") DataSize maxBytes) {

        Spool {
            if (folder != null && folder.isBlank()) {
                throw new SettingException(
                        "weir.publish.spool.folder",
                        folder,
                        "the path of a folder",
                        "Name one, or remove the setting.");
            }
            var ignored = SpoolConfig.defaults().withMaxBytes(maxBytes.toBytes());
        }

        SpoolConfig config() {
            return SpoolConfig.defaults().withMaxBytes(maxBytes.toBytes());
        }
    }

    PublishProperties {
        if (drain.isNegative() || drain.compareTo(LONGEST_DRAIN) > 0) {
            throw new SettingException(
                    "weir.publish.drain",
                    drain.toMillis() + "ms",
                    "a duration from 0s to 10m",
                    "Correct it, or remove it for 10s.");
        }
        if (maxEventBytes.toBytes() < 1 || maxEventBytes.toBytes() > Integer.MAX_VALUE) {
            throw new SettingException(
                    "weir.publish.max-event-bytes",
                    maxEventBytes,
                    "a size from 1B to weir.publish.buffer-bytes, at most 2GB",
                    "Correct it, or remove it for 1000000B.");
        }
        kafka = Map.copyOf(kafka);
        var ignored = config(
                bufferEvents,
                bufferBytes,
                batchEvents,
                linger,
                maxEventBytes,
                giveUpAfter,
                topicPatience,
                attempts,
                retryBackoff,
                maxRetryBackoff);
    }

    PublisherConfig config() {
        return config(
                bufferEvents,
                bufferBytes,
                batchEvents,
                linger,
                maxEventBytes,
                giveUpAfter,
                topicPatience,
                attempts,
                retryBackoff,
                maxRetryBackoff);
    }

    /** The settings as the publisher takes them; its sentences say the name below ours. */
    private static PublisherConfig config(
            int bufferEvents,
            DataSize bufferBytes,
            int batchEvents,
            Duration linger,
            DataSize maxEventBytes,
            Duration giveUpAfter,
            Duration topicPatience,
            int attempts,
            Duration retryBackoff,
            Duration maxRetryBackoff) {
        return new PublisherConfig(
                bufferEvents,
                bufferBytes.toBytes(),
                batchEvents,
                linger,
                (int) maxEventBytes.toBytes(),
                giveUpAfter,
                topicPatience,
                attempts,
                retryBackoff,
                maxRetryBackoff);
    }

    /** Without the client's settings, which hold passwords. */
    @Override
    public String toString() {
        return "weir.publish";
    }
}
