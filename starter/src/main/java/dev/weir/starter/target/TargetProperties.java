package dev.weir.starter.target;

import dev.weir.core.size.ServerSize;
import dev.weir.starter.Rate;
import dev.weir.starter.SettingException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What the service is to do. Tomcat is sized for it, except where its own settings say otherwise.
 *
 * @param enabled whether Tomcat is sized by the target
 * @param rate requests a second over all instances; must be set to switch the feature on, there is none by default
 * @param latency mean time of a request; must be set to switch the feature on, there is none by default
 * @param instances that share the rate, 1 to 10000
 * @param headroom factor by which threads and connections exceed what the mean needs, 1 to 100
 * @param reuseInterval mean time between two requests of one client's connection
 * @param connectionHold mean time a request holds a database connection; when not set, connections are not counted
 */
@ConfigurationProperties(prefix = "weir.target", ignoreUnknownFields = false)
record TargetProperties(
        @DefaultValue("false") boolean enabled,
        @Nullable Rate rate,
        @Nullable Duration latency,
        @DefaultValue("1") int instances,
        @DefaultValue("1.6") double headroom,
        @DefaultValue("150ms") Duration reuseInterval,
        @Nullable Duration connectionHold) {

    private static final int MOST_INSTANCES = 10_000;
    private static final String CORRECT = "Correct it, or remove it for the default.";

    TargetProperties {
        if (instances < 1 || instances > MOST_INSTANCES) {
            throw new SettingException("weir.target.instances", instances, "from 1 to " + MOST_INSTANCES, CORRECT);
        }
        if (connectionHold != null && connectionHold.isNegative()) {
            throw new SettingException(
                    "weir.target.connection-hold", connectionHold.toMillis() + "ms", "0s or more", CORRECT);
        }
        if (enabled) {
            if (rate == null || latency == null) {
                throw SettingException.saying(
                        "weir.target.enabled is true, but %s is not set."
                                .formatted(rate == null ? "weir.target.rate" : "weir.target.latency"),
                        "Set both weir.target.rate, such as 10k/s, and weir.target.latency, such as 50ms.");
            }
            try {
                var ignored = ServerSize.of(rate.perSecond() / instances, latency, reuseInterval, headroom);
            } catch (IllegalArgumentException e) {
                throw SettingException.saying("weir.target cannot be used: " + e.getMessage(), "Correct the values.");
            }
        }
    }

    /** Requests a second of this instance. */
    double ratePerSecond() {
        return rate == null ? 0 : rate.perSecond() / instances;
    }

    Duration meanLatency() {
        return latency == null ? Duration.ZERO : latency;
    }

    ServerSize size() {
        return ServerSize.of(ratePerSecond(), meanLatency(), reuseInterval, headroom);
    }
}
