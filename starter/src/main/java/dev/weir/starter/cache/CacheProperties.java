package dev.weir.starter.cache;

import dev.weir.core.cache.CacheConfig;
import dev.weir.core.cache.CachesConfig;
import dev.weir.starter.SettingException;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Caches of three layers: the process, Redis, the method itself.
 *
 * @param enabled whether Weir's cache manager takes the place of Spring's
 * @param mode redis, or local for a service that runs as one process
 * @param url of Redis, such as redis://127.0.0.1:6379; by default what spring.data.redis says
 * @param prefix of keys and channels in Redis; services with different prefixes do not see each other
 * @param stalenessBound for how long after an eviction another node may answer with the old value, 100ms to 1m
 * @param commandTimeout after which a command to Redis counts as failed, 1ms to the staleness bound
 * @param failuresToOpen after how many failed commands in a row Redis is left alone until it answers again, 1 to 1000
 * @param maxRefreshes how many reloads ahead of expiry may run at the same time, 1 to 10000
 * @param defaults settings of caches that do not set their own
 * @param caches settings by the name of the cache
 */
@ConfigurationProperties(prefix = "weir.cache", ignoreUnknownFields = false)
record CacheProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("redis") Mode mode,
        @Nullable String url,
        @DefaultValue("weir") String prefix,
        @DefaultValue("2s") Duration stalenessBound,
        @DefaultValue("250ms") Duration commandTimeout,
        @DefaultValue("5") int failuresToOpen,
        @DefaultValue("16") int maxRefreshes,
        @DefaultValue Settings defaults,
        @DefaultValue Map<String, Settings> caches) {

    /** Where values are kept besides the process. */
    enum Mode {
        REDIS,
        LOCAL
    }

    /**
     * Settings of a cache; what is not set comes from weir.cache.defaults, then from Weir.
     *
     * @param type class of the values, written as JSON, such as com.example.Product, with its type arguments
     *     where it has some; by default values must be Serializable
     * @param maxEntries most entries in the process, 10000 by default
     * @param ttl how long the process keeps a value, 30s by default
     * @param sharedTtl how long Redis keeps a value, 5m by default
     * @param ttlWithoutRedis how old an answer may be while the connection to the other nodes is not proven, 1s by default
     * @param ttlJitter by which share each time to live is shortened at random, 0 to 0.5, 0.1 by default
     * @param negativeTtl how long null is kept, 5s by default; 0 for not at all
     * @param refreshAfter age at which a hit starts a reload in the background; 0, the default, for never
     * @param staleOnErrorFor how long past its time an answer may be while loading fails; 0 by default
     * @param staleOnPressureFor how long past its time an answer may be while weir.shed says that the service is near its limit; 0 by default
     * @param strict whether the process answers only while the connection to the other nodes is proven; false by default
     * @param clusterLease whether only one node at a time loads a key; false by default
     * @param leaseFor how long a node may take to load before another one may, 10s by default
     * @param guardFor for how long after an eviction late puts are refused and loads read the primary; 2s by default, with replicas as long
     *     as one that serves may be late (13.3s by weir.route's defaults), and never less than that
     * @param maxPendingEvictions from how many undelivered keys on the whole cache is dropped instead, 1000 by default
     */
    record Settings(
            @Nullable String type,
            @Nullable Integer maxEntries,
            @Nullable Duration ttl,
            @Nullable Duration sharedTtl,
            @Nullable Duration ttlWithoutRedis,
            @Nullable Double ttlJitter,
            @Nullable Duration negativeTtl,
            @Nullable Duration refreshAfter,
            @Nullable Duration staleOnErrorFor,
            @Nullable Duration staleOnPressureFor,
            @Nullable Boolean strict,
            @Nullable Boolean clusterLease,
            @Nullable Duration leaseFor,
            @Nullable Duration guardFor,
            @Nullable Integer maxPendingEvictions) {}

    private static final Settings NONE =
            new Settings(null, null, null, null, null, null, null, null, null, null, null, null, null, null, null);

    CacheProperties {
        if (enabled) {
            CachesConfig common =
                    new CachesConfig(prefix, stalenessBound, commandTimeout, failuresToOpen, maxRefreshes);
            common.check(cache("defaults", defaults, NONE, Duration.ZERO));
            for (Map.Entry<String, Settings> each : caches.entrySet()) {
                common.check(cache(each.getKey(), each.getValue(), defaults, Duration.ZERO));
            }
        }
    }

    /**
     * Checks what only another feature knows.
     *
     * @param staleReads how old a state loads may read that are not sent to the primary; zero without replicas
     * @throws SettingException where a guard-for ends while such a load may still read what was evicted
     */
    void checkGuards(Duration staleReads) {
        checkGuard("weir.cache.defaults.guard-for", defaults.guardFor, staleReads);
        caches.forEach((name, own) -> checkGuard("weir.cache.caches." + name + ".guard-for", own.guardFor, staleReads));
    }

    private static void checkGuard(String property, @Nullable Duration given, Duration least) {
        if (given != null && given.compareTo(least) < 0) {
            throw new SettingException(
                    property,
                    given.toMillis() + "ms",
                    "at least %dms, for how long a replica that takes reads may still show what was evicted (weir.route.max-lag, and the time until a replica that does not answer is out)"
                            .formatted(least.toMillis()),
                    "Raise it, or remove it so that it follows weir.route, or lower weir.route.max-lag.");
        }
    }

    CachesConfig common() {
        return new CachesConfig(prefix, stalenessBound, commandTimeout, failuresToOpen, maxRefreshes);
    }

    /** @param staleReads as for {@link #checkGuards}; where guard-for is not set, it is no less */
    CacheConfig cache(String name, Duration staleReads) {
        return cache(name, caches.getOrDefault(name, NONE), defaults, staleReads);
    }

    @Nullable
    String type(String name) {
        String own = caches.getOrDefault(name, NONE).type();
        return own == null ? defaults.type() : own;
    }

    private static CacheConfig cache(String name, Settings own, Settings shared, Duration staleReads) {
        CacheConfig built = CacheConfig.named(name);
        Duration guardFor = built.guardFor().compareTo(staleReads) < 0 ? staleReads : built.guardFor();
        return new CacheConfig(
                name,
                first(own.maxEntries, shared.maxEntries, built.maxEntries()),
                first(own.ttl, shared.ttl, built.ttl()),
                first(own.sharedTtl, shared.sharedTtl, built.sharedTtl()),
                first(own.ttlWithoutRedis, shared.ttlWithoutRedis, built.ttlWithoutRedis()),
                first(own.ttlJitter, shared.ttlJitter, built.ttlJitter()),
                first(own.negativeTtl, shared.negativeTtl, built.negativeTtl()),
                first(own.refreshAfter, shared.refreshAfter, built.refreshAfter()),
                first(own.staleOnErrorFor, shared.staleOnErrorFor, built.staleOnErrorFor()),
                first(own.staleOnPressureFor, shared.staleOnPressureFor, built.staleOnPressureFor()),
                first(own.strict, shared.strict, built.strict()),
                first(own.clusterLease, shared.clusterLease, built.clusterLease()),
                first(own.leaseFor, shared.leaseFor, built.leaseFor()),
                first(own.guardFor, shared.guardFor, guardFor),
                first(own.maxPendingEvictions, shared.maxPendingEvictions, built.maxPendingEvictions()));
    }

    private static <T> T first(@Nullable T own, @Nullable T shared, T built) {
        return own != null ? own : shared != null ? shared : built;
    }
}
