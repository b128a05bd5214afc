package dev.weir.starter.threads;

import dev.weir.core.time.DurationText;
import dev.weir.starter.SettingException;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Virtual threads for the server and the application's executors.
 *
 * @param enabled whether spring.threads.virtual.enabled is set, where the configuration does not set it itself
 * @param pinning the watch on what pins virtual threads to their carriers
 */
@ConfigurationProperties(prefix = "weir.threads", ignoreUnknownFields = false)
record ThreadsProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue Pinning pinning) {

    /**
     * The watch on what pins virtual threads to their carriers.
     *
     * @param enabled whether the watch runs while weir.threads is on
     * @param threshold how long a carrier must be kept to be counted, 1ms to 1m
     * @param maxSites how many places are kept with their stack, 1 to 1000; pins elsewhere are only counted
     */
    record Pinning(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("20ms") Duration threshold,
            @DefaultValue("50") int maxSites) {

        Pinning {
            if (threshold.compareTo(Duration.ofMillis(1)) < 0 || threshold.compareTo(Duration.ofMinutes(1)) > 0) {
                throw new SettingException(
                        "weir.threads.pinning.threshold",
                        DurationText.of(threshold),
                        "a duration from 1ms to 1m",
                        "Give one in this range, or remove the setting for the default of 20ms.");
            }
            if (maxSites < 1 || maxSites > 1_000) {
                throw new SettingException(
                        "weir.threads.pinning.max-sites",
                        maxSites,
                        "a number from 1 to 1000",
                        "Give one in this range, or remove the setting for the default of 50.");
            }
        }
    }
}
