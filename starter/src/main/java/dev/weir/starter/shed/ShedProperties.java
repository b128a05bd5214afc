package dev.weir.starter.shed;

import dev.weir.core.shed.LimitMode;
import dev.weir.core.shed.QueueConfig;
import dev.weir.core.shed.QuotaConfig;
import dev.weir.core.shed.Shares;
import dev.weir.core.shed.ShedConfig;
import dev.weir.core.shed.SignalBounds;
import dev.weir.starter.SettingException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Requests are refused before they cost anything.
 *
 * @param enabled whether requests are admitted by a limit
 * @param dryRun decide and count, and refuse nothing
 * @param mode where the limit comes from
 * @param limit requests in flight with mode=fixed, 1 to 1000000; a fifth of it is low requests' own
 * @param adaptive bounds of the limit with mode=adaptive
 * @param queue the short line before a full limit
 * @param retryAfter bounds of Retry-After
 * @param quota what one caller may ask for
 * @param cohortPeriod how long the same callers are refused before others take their turn, at least 1s
 * @param priorityHeader header in which trusted callers say critical, normal or low
 * @param trusted addresses and blocks of addresses (CIDR) whose priority header counts; nobody's by default
 * @param exempt paths that are always admitted, with everything below them, besides the actuator's
 */
@ConfigurationProperties(prefix = "weir.shed", ignoreUnknownFields = false)
record ShedProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("false") boolean dryRun,
        @DefaultValue("adaptive") Mode mode,
        @DefaultValue("5000") int limit,
        @DefaultValue Adaptive adaptive,
        @DefaultValue Queue queue,
        @DefaultValue RetryAfter retryAfter,
        @DefaultValue Quota quota,
        @DefaultValue("5m") Duration cohortPeriod,
        @DefaultValue("X-Request-Priority") String priorityHeader,
        @DefaultValue List<String> trusted,
        @DefaultValue List<String> exempt) {

    private static final String CORRECT = "Correct it, or remove it for the default.";

    /** Where the limit comes from. */
    enum Mode {
        ADAPTIVE,
        FIXED
    }

    /**
     * Bounds of the adaptive limit.
     *
     * @param initial limit at start
     * @param min the limit never falls below
     * @param max the limit never rises above, at most 1000000
     * @param healthyLatency the most that may count as a healthy 90th percentile
     * @param warmUp from start on nothing is learned for so long
     */
    record Adaptive(
            @DefaultValue("64") int initial,
            @DefaultValue("4") int min,
            @DefaultValue("10000") int max,
            @DefaultValue("1s") Duration healthyLatency,
            @DefaultValue("5s") Duration warmUp) {}

    /**
     * The line.
     *
     * @param length requests that wait at most, 0 for none
     * @param maxWait how long one waits at most
     */
    record Queue(
            @DefaultValue("256") int length,
            @DefaultValue("100ms") Duration maxWait) {}

    /**
     * When refused callers should come again.
     *
     * @param least shortest
     * @param most longest, at least three times the shortest
     */
    record RetryAfter(
            @DefaultValue("1s") Duration least,
            @DefaultValue("30s") Duration most) {}

    /**
     * A rate for each caller.
     *
     * @param scope whether it is each instance's own, or that of all instances together, added up in Redis
     * @param prefix of the keys in Redis with scope=cluster; services with different prefixes do not see each other
     * @param perSecond requests a second, 0 for no quota
     * @param burst requests at once after a pause, at least 1
     * @param maxCallers callers that are remembered, 1 to 10000000
     */
    record Quota(
            @DefaultValue("instance") Scope scope,
            @DefaultValue("weir") String prefix,
            @DefaultValue("0") double perSecond,
            @DefaultValue("20") int burst,
            @DefaultValue("100000") int maxCallers) {

        /** Whose a quota is. */
        enum Scope {
            INSTANCE,
            CLUSTER
        }

        boolean isSet() {
            return perSecond != 0;
        }

        boolean isShared() {
            return isSet() && scope == Scope.CLUSTER;
        }
    }

    ShedProperties {
        trusted = List.copyOf(trusted);
        exempt = List.copyOf(exempt);
        trusted.forEach(ShedProperties::range);
        if (!priorityHeader.matches("[A-Za-z0-9-]{1,100}")) {
            throw new SettingException(
                    "weir.shed.priority-header", priorityHeader, "1 to 100 letters, digits or -", CORRECT);
        }
        if (!quota.prefix().matches("[A-Za-z0-9._:-]{1,100}")) {
            throw new SettingException(
                    "weir.shed.quota.prefix", quota.prefix(), "1 to 100 letters, digits, or . _ : -", CORRECT);
        }
        for (String path : exempt) {
            if (!path.matches("/.*[^/]")) {
                throw new SettingException(
                        "weir.shed.exempt", path, "a path that begins with / and does not end with it", CORRECT);
            }
        }
        var ignored = config(dryRun, mode, limit, adaptive, queue, retryAfter, quota, cohortPeriod);
    }

    private static List<AddressRange> ranges(List<String> texts) {
        return texts.stream().map(ShedProperties::range).toList();
    }

    private static AddressRange range(String text) {
        try {
            return AddressRange.of(text);
        } catch (IllegalArgumentException e) {
            throw new SettingException(
                    "weir.shed.trusted", text, "an address or a block of addresses such as 10.0.0.0/8", CORRECT);
        }
    }

    List<AddressRange> trustedRanges() {
        return ranges(trusted);
    }

    ShedConfig config() {
        return config(dryRun, mode, limit, adaptive, queue, retryAfter, quota, cohortPeriod);
    }

    private static ShedConfig config(
            boolean dryRun,
            Mode mode,
            int limit,
            Adaptive adaptive,
            Queue queue,
            RetryAfter retryAfter,
            Quota quota,
            Duration cohortPeriod) {
        LimitMode limits = mode == Mode.FIXED
                ? checked("weir.shed.limit", () -> new LimitMode.Fixed(limit))
                : checked("weir.shed.adaptive", () -> adaptive(adaptive));
        QueueConfig line = checked("weir.shed.queue", () -> new QueueConfig(queue.length(), queue.maxWait()));
        Optional<QuotaConfig> own = quota.isSet()
                ? Optional.of(checked(
                        "weir.shed.quota", () -> new QuotaConfig(quota.perSecond(), quota.burst(), quota.maxCallers())))
                : Optional.empty();
        Shares shares = mode == Mode.FIXED ? ShedConfig.fixed(limit).shares() : Shares.defaults();
        if (cohortPeriod.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new SettingException(
                    "weir.shed.cohort-period", cohortPeriod.toMillis() + "ms", "a duration of at least 1s", CORRECT);
        }
        return checked(
                "weir.shed.retry-after",
                () -> new ShedConfig(
                        limits,
                        shares,
                        line,
                        retryAfter.least(),
                        retryAfter.most(),
                        own,
                        SignalBounds.defaults(),
                        cohortPeriod,
                        dryRun));
    }

    private static LimitMode adaptive(Adaptive given) {
        return new LimitMode.Adaptive(
                given.initial(),
                given.min(),
                given.max(),
                LimitMode.Adaptive.defaults().inFlightMultiple(),
                given.healthyLatency(),
                given.warmUp());
    }

    private static <T> T checked(String group, Supplier<T> made) {
        try {
            return made.get();
        } catch (IllegalArgumentException e) {
            throw SettingException.saying(group + " cannot be used: " + e.getMessage(), CORRECT);
        }
    }
}
