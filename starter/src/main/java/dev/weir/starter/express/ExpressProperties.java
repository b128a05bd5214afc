package dev.weir.starter.express;

import dev.weir.core.express.PortLaneSettings;
import dev.weir.core.time.DurationText;
import dev.weir.starter.SettingException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Hot read endpoints answered from encoded bytes, declared as beans of type ExpressRoute.
 *
 * @param enabled whether the declared routes are answered by the lanes; otherwise every request goes to the application
 * @param portLane whether Tomcat's poller thread answers plain requests itself (auto), or the filter alone (off)
 * @param pollers threads that wait for connections and answer, 1 to 64; half the processors where not set
 * @param harmlessHeaders further request headers that change no answer; requests with a header the lane does not know go
 *     through the filter
 * @param largestAnswer larger answers go through the filter, 1KB to 16MB
 * @param accessLog whether the poller's answers are written to Tomcat's access log, where it is on
 * @param serverRequests whether the lanes' answers are also counted in http.server.requests, beside weir.express.requests
 * @param drain how long a stop waits for clients that are slow to take the rest of an answer, 0s to 1m
 */
@ConfigurationProperties(prefix = "weir.express", ignoreUnknownFields = false)
record ExpressProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("auto") PortLaneMode portLane,
        @Nullable Integer pollers,
        @DefaultValue List<String> harmlessHeaders,
        @DefaultValue("64KB") DataSize largestAnswer,
        @DefaultValue("true") boolean accessLog,
        @DefaultValue("true") boolean serverRequests,
        @DefaultValue("5s") Duration drain) {

    /** Which lanes are used. */
    enum PortLaneMode {
        /** The port lane where it fits, else the filter alone. */
        AUTO,
        /** The filter alone. */
        OFF
    }

    private static final long LEAST_BYTES = DataSize.ofKilobytes(1).toBytes();
    private static final long MOST_BYTES = DataSize.ofMegabytes(16).toBytes();

    ExpressProperties {
        if (pollers != null && (pollers < 1 || pollers > 64)) {
            throw new SettingException(
                    "weir.express.pollers",
                    pollers,
                    "a number from 1 to 64",
                    "Give one in this range, or remove the setting for half the processors.");
        }
        if (largestAnswer.toBytes() < LEAST_BYTES || largestAnswer.toBytes() > MOST_BYTES) {
            throw new SettingException(
                    "weir.express.largest-answer",
                    largestAnswer,
                    "a size from 1KB to 16MB",
                    "Give one in this range, or remove the setting for the default of 64KB.");
        }
        if (drain.isNegative() || drain.compareTo(Duration.ofMinutes(1)) > 0) {
            throw new SettingException(
                    "weir.express.drain",
                    DurationText.of(drain),
                    "a duration from 0s to 1m",
                    "Give one in this range, or remove the setting for the default of 5s.");
        }
    }

    PortLaneSettings settings() {
        int threads = pollers == null ? PortLaneSettings.defaults().pollers() : pollers;
        try {
            return new PortLaneSettings(
                    threads, harmlessHeaders, Math.toIntExact(largestAnswer.toBytes()), accessLog, drain);
        } catch (IllegalArgumentException refused) {
            throw new SettingException(
                    "weir.express.harmless-headers",
                    harmlessHeaders,
                    "a list of header names that change no answer",
                    refused.getMessage() + " Remove it from the list.");
        }
    }
}
