package dev.weir.starter.outbox;

import dev.weir.core.outbox.OutboxConfig;
import dev.weir.starter.SettingException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Events that belong to a transaction, delivered after its commit. All instances of a service use the same values.
 *
 * @param enabled whether there is an outbox and a relay
 * @param target where events go: kafka by the settings of weir.publish.kafka, handlers for beans of type EventHandler, none for an
 *     instance that only adds
 * @param dataSource name of the bean of the data source; the primary one by default
 * @param table name of the table; other tables' names begin with it
 * @param schema what happens to the tables at start: create makes what is missing, check stops the start where something is, none looks
 *     at nothing
 * @param keyLock whether adding an event makes other transactions that add for the same key wait for the end of this one
 * @param batchEvents events read and delivered at once
 * @param batchBytes and their bytes
 * @param pollInterval a relay looks so often by itself, for what other instances added
 * @param leaseTime for which an instance owns its part of the keys without a sign of life
 * @param attempts how often an event is tried before it is parked
 * @param retryBackoff first pause after a failure; doubled each time, with jitter
 * @param maxRetryBackoff longest pause
 * @param handlerConcurrency how many handlers run at once at most, with target=handlers; 1 to 10000
 * @param sampleInterval how often the tables are counted for metrics, 1s to 10m
 */
@ConfigurationProperties(prefix = "weir.outbox", ignoreUnknownFields = false)
record OutboxProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("kafka") To target,
        @Nullable String dataSource,
        @DefaultValue("weir_outbox") String table,
        @DefaultValue("create") Schema schema,
        @DefaultValue("false") boolean keyLock,
        @DefaultValue("1000") int batchEvents,
        @DefaultValue("8MB") DataSize batchBytes,
        @DefaultValue("200ms") Duration pollInterval,
        @DefaultValue("10s") Duration leaseTime,
        @DefaultValue("8") int attempts,
        @DefaultValue("1s") Duration retryBackoff,
        @DefaultValue("5m") Duration maxRetryBackoff,
        @DefaultValue("32") int handlerConcurrency,
        @DefaultValue("5s") Duration sampleInterval) {

    private static final int MOST_HANDLERS = 10_000;
    private static final Duration LEAST_SAMPLE = Duration.ofSeconds(1);
    private static final Duration MOST_SAMPLE = Duration.ofMinutes(10);

    /** Where events go. */
    enum To {
        KAFKA,
        HANDLERS,
        NONE
    }

    /** What happens to the tables at start. */
    enum Schema {
        CREATE,
        CHECK,
        NONE
    }

    OutboxProperties {
        if (handlerConcurrency < 1 || handlerConcurrency > MOST_HANDLERS) {
            throw new SettingException(
                    "weir.outbox.handler-concurrency",
                    handlerConcurrency,
                    "a number from 1 to " + MOST_HANDLERS,
                    "Correct it, or remove it for 32.");
        }
        if (sampleInterval.compareTo(LEAST_SAMPLE) < 0 || sampleInterval.compareTo(MOST_SAMPLE) > 0) {
            throw new SettingException(
                    "weir.outbox.sample-interval",
                    sampleInterval.toMillis() + "ms",
                    "a duration from 1s to 10m",
                    "Correct it, or remove it for 5s.");
        }
        var ignored = config(
                table,
                keyLock,
                batchEvents,
                batchBytes,
                pollInterval,
                leaseTime,
                attempts,
                retryBackoff,
                maxRetryBackoff);
    }

    /** With another table, all else the same. */
    OutboxConfig config(String otherTable) {
        return config(
                otherTable,
                keyLock,
                batchEvents,
                batchBytes,
                pollInterval,
                leaseTime,
                attempts,
                retryBackoff,
                maxRetryBackoff);
    }

    /** The settings as the relay takes them; its sentences say the name below ours. */
    private static OutboxConfig config(
            String table,
            boolean keyLock,
            int batchEvents,
            DataSize batchBytes,
            Duration pollInterval,
            Duration leaseTime,
            int attempts,
            Duration retryBackoff,
            Duration maxRetryBackoff) {
        return new OutboxConfig(
                table,
                keyLock,
                batchEvents,
                batchBytes.toBytes(),
                pollInterval,
                leaseTime,
                attempts,
                retryBackoff,
                maxRetryBackoff);
    }
}
