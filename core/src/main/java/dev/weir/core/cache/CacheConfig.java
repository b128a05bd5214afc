package dev.weir.core.cache;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * One cache, checked once.
 *
 * @param name letters, digits, dots, dashes and underscores; the same on all nodes
 * @param maxEntries most entries in the process, 1 to 10,000,000; {@link LayeredCaches} says what one costs
 * @param ttl how long the process keeps a value
 * @param sharedTtl how long Redis keeps a value, at least {@code ttl}
 * @param ttlWithoutRedis how old a value in the process may be while the connection to the other nodes is not proven; at
 *     most the staleness bound of the node, zero to load each time
 * @param ttlJitter by which share each time to live is shortened at random, 0 to 0.5, so that what was filled together
 *     does not expire together
 * @param negativeTtl how long "there is none" is kept, at most {@code ttl}; zero for not at all
 * @param refreshAfter the age at which a hit starts a reload in the background, less than {@code ttl}; zero for never
 * @param staleOnErrorFor how long past its time to live a value answers when the loader throws; never an invalidated one
 * @param staleOnPressureFor how long past its time to live a value answers while the service is under pressure ({@link
 *     LayeredCaches#staleWhile}); never an invalidated one
 * @param strict whether the process may answer only while the connection to the other nodes is proven, and an eviction
 *     returns only when every node has handled it or has stopped answering
 * @param clusterLease whether only one node at a time loads a key, the others waiting for its value
 * @param leaseFor how long a node may take to load before another one may; longer than the slowest load, for the value of
 *     a slower one is handed out but not kept
 * @param guardFor for how long after an invalidation late puts are refused and loads read the primary. Meanwhile Redis
 *     keeps no value of the key that would expire before, for the guard would go with it
 * @param maxPendingEvictions from how many keys on undelivered evictions become one of the whole cache, at least 1
 */
public record CacheConfig(
        String name,
        int maxEntries,
        Duration ttl,
        Duration sharedTtl,
        Duration ttlWithoutRedis,
        double ttlJitter,
        Duration negativeTtl,
        Duration refreshAfter,
        Duration staleOnErrorFor,
        Duration staleOnPressureFor,
        boolean strict,
        boolean clusterLease,
        Duration leaseFor,
        Duration guardFor,
        int maxPendingEvictions) {
    private static final int MOST_ENTRIES = 10_000_000;
    private static final Duration LONGEST = Duration.ofDays(365);

    public CacheConfig {
        if (!name.matches("[A-Za-z0-9._-]{1,100}")) {
            throw new IllegalArgumentException("The name of a cache must be 1 to 100 letters, digits, dots, dashes or"
                    + " underscores, not \"" + name + "\". Choose another name.");
        }
        String cache = "Cache " + name + ": ";
        inRange(maxEntries >= 1 && maxEntries <= MOST_ENTRIES, cache, "max-entries", maxEntries, "1 to 10,000,000");
        positive(cache, "ttl", ttl);
        inRange(
                sharedTtl.compareTo(ttl) >= 0 && sharedTtl.compareTo(LONGEST) <= 0,
                cache,
                "shared-ttl",
                sharedTtl,
                "ttl (" + ttl + ") to 365 days");
        atMost(cache, "ttl-without-redis", ttlWithoutRedis, "ttl", ttl);
        inRange(ttlJitter >= 0 && ttlJitter <= 0.5, cache, "ttl-jitter", ttlJitter, "0 to 0.5");
        atMost(cache, "negative-ttl", negativeTtl, "ttl", ttl);
        inRange(
                !refreshAfter.isNegative() && refreshAfter.compareTo(ttl) < 0,
                cache,
                "refresh-after",
                refreshAfter,
                "0 (never) to less than ttl (" + ttl + ")");
        atMost(cache, "stale-on-error-for", staleOnErrorFor, "365 days", LONGEST);
        atMost(cache, "stale-on-pressure-for", staleOnPressureFor, "365 days", LONGEST);
        positive(cache, "lease-for", leaseFor);
        inRange(
                guardFor.toMillis() >= 1 && guardFor.compareTo(LONGEST) <= 0,
                cache,
                "guard-for",
                guardFor,
                "1 ms to 365 days");
        inRange(
                maxPendingEvictions >= 1 && maxPendingEvictions <= 1_000_000,
                cache,
                "max-pending-evictions",
                maxPendingEvictions,
                "1 to 1,000,000");
        inRange(
                !strict || staleOnErrorFor.isZero(),
                cache,
                "stale-on-error-for",
                staleOnErrorFor,
                "0 for a strict cache");
        inRange(
                !strict || staleOnPressureFor.isZero(),
                cache,
                "stale-on-pressure-for",
                staleOnPressureFor,
                "0 for a strict cache");
    }

    /**
     * 10,000 entries for 30 s in the process and 5 minutes in Redis, shortened by up to 10 %; 1 s without Redis; "none"
     * for 5 s; no refresh ahead, nothing stale, not strict, no lease.
     */
    public static CacheConfig named(String name) {
        return new CacheConfig(
                name,
                10_000,
                Duration.ofSeconds(30),
                Duration.ofMinutes(5),
                Duration.ofSeconds(1),
                0.1,
                Duration.ofSeconds(5),
                Duration.ZERO,
                Duration.ZERO,
                Duration.ZERO,
                false,
                false,
                Duration.ofSeconds(10),
                Duration.ofSeconds(2),
                1_000);
    }

    /** The same with another size in the process. */
    public CacheConfig withMaxEntries(int entries) {
        return with(draft -> draft.maxEntries = entries);
    }

    /** The same with other times to live in the process and in Redis. */
    public CacheConfig withTtl(Duration inProcess, Duration inRedis) {
        return with(draft -> {
            draft.ttl = inProcess;
            draft.sharedTtl = inRedis;
        });
    }

    /** The same with another age while the connection to the other nodes is not proven. */
    public CacheConfig withTtlWithoutRedis(Duration age) {
        return with(draft -> draft.ttlWithoutRedis = age);
    }

    /** The same with another share of random shortening. */
    public CacheConfig withTtlJitter(double share) {
        return with(draft -> draft.ttlJitter = share);
    }

    /** The same with another time to live of "there is none". */
    public CacheConfig withNegativeTtl(Duration time) {
        return with(draft -> draft.negativeTtl = time);
    }

    /** The same with refresh ahead from this age on. */
    public CacheConfig withRefreshAfter(Duration age) {
        return with(draft -> draft.refreshAfter = age);
    }

    /** The same with expired values as answers while the loader throws. */
    public CacheConfig withStaleOnErrorFor(Duration time) {
        return with(draft -> draft.staleOnErrorFor = time);
    }

    /** The same answering with expired values for so long while the service is under pressure. */
    public CacheConfig withStaleOnPressureFor(Duration time) {
        return with(draft -> draft.staleOnPressureFor = time);
    }

    /** The same, strict or not. */
    public CacheConfig withStrict(boolean wanted) {
        return with(draft -> draft.strict = wanted);
    }

    /** The same, with one load per key in the cluster or not, and the time after which another node may load. */
    public CacheConfig withClusterLease(boolean wanted, Duration holdFor) {
        return with(draft -> {
            draft.clusterLease = wanted;
            draft.leaseFor = holdFor;
        });
    }

    /** The same with another time of refused puts and reads of the primary after an invalidation. */
    public CacheConfig withGuardFor(Duration time) {
        return with(draft -> draft.guardFor = time);
    }

    private CacheConfig with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.checked();
    }

    /** The one place that lists every setting for a copy. */
    private static final class Draft {
        private final String name;
        private int maxEntries;
        private Duration ttl;
        private Duration sharedTtl;
        private Duration ttlWithoutRedis;
        private double ttlJitter;
        private Duration negativeTtl;
        private Duration refreshAfter;
        private Duration staleOnErrorFor;
        private Duration staleOnPressureFor;
        private boolean strict;
        private boolean clusterLease;
        private Duration leaseFor;
        private Duration guardFor;
        private final int maxPendingEvictions;

        Draft(CacheConfig from) {
            name = from.name;
            maxEntries = from.maxEntries;
            ttl = from.ttl;
            sharedTtl = from.sharedTtl;
            ttlWithoutRedis = from.ttlWithoutRedis;
            ttlJitter = from.ttlJitter;
            negativeTtl = from.negativeTtl;
            refreshAfter = from.refreshAfter;
            staleOnErrorFor = from.staleOnErrorFor;
            staleOnPressureFor = from.staleOnPressureFor;
            strict = from.strict;
            clusterLease = from.clusterLease;
            leaseFor = from.leaseFor;
            guardFor = from.guardFor;
            maxPendingEvictions = from.maxPendingEvictions;
        }

        CacheConfig checked() {
            return new CacheConfig(
                    name,
                    maxEntries,
                    ttl,
                    sharedTtl,
                    ttlWithoutRedis,
                    ttlJitter,
                    negativeTtl,
                    refreshAfter,
                    staleOnErrorFor,
                    staleOnPressureFor,
                    strict,
                    clusterLease,
                    leaseFor,
                    guardFor,
                    maxPendingEvictions);
        }
    }

    private static void positive(String cache, String setting, Duration given) {
        inRange(given.toMillis() >= 1 && given.compareTo(LONGEST) <= 0, cache, setting, given, "1 ms to 365 days");
    }

    private static void atMost(String cache, String setting, Duration given, String limitName, Duration limit) {
        inRange(
                !given.isNegative() && given.compareTo(limit) <= 0,
                cache,
                setting,
                given,
                "0 to " + limitName + (limit.equals(LONGEST) ? "" : " (" + limit + ")"));
    }

    private static void inRange(boolean right, String cache, String setting, Object given, String allowed) {
        if (!right) {
            throw new IllegalArgumentException(
                    cache + setting + " is " + given + "; allowed is " + allowed + ". Change " + setting + ".");
        }
    }
}
