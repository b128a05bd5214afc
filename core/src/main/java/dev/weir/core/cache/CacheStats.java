package dev.weir.core.cache;

import java.time.Duration;

/**
 * What one cache has counted on this node since it was made, and how it stands.
 *
 * @param localHits answers from the process
 * @param localMisses reads the process could not answer
 * @param sharedHits answers from Redis
 * @param sharedMisses reads Redis was asked for and could not answer
 * @param loads calls of a loader
 * @param loadFailures those that threw
 * @param puts values given by callers
 * @param putsRefused of these, turned into evictions because the key had changed a moment ago
 * @param evictions keys evicted, and clears, by callers of this node
 * @param evictionsDeferred attempts to tell Redis that failed and were kept
 * @param evictionsBySize entries dropped by the process for want of room
 * @param fillsRefused values loaded or read and not kept, because an invalidation came in between
 * @param staleOnError answers past their time to live because the loader threw
 * @param staleOnPressure answers past their time to live because the service was under pressure; {@code localHits} has them too
 * @param refreshes reloads started ahead of expiry
 * @param drops how often the process dropped the whole cache: gaps, subscriptions lost and made, flushes of Redis, clears
 * @param sharedErrors commands to Redis that failed
 * @param entries entries in the process, some of which may be expired
 * @param pendingEvictions keys whose eviction Redis does not have yet
 * @param longestStaleness how old at most a stale answer of this cache can be right now, by what this node knows
 */
public record CacheStats(
        long localHits,
        long localMisses,
        long sharedHits,
        long sharedMisses,
        long loads,
        long loadFailures,
        long puts,
        long putsRefused,
        long evictions,
        long evictionsDeferred,
        long evictionsBySize,
        long fillsRefused,
        long staleOnError,
        long staleOnPressure,
        long refreshes,
        long drops,
        long sharedErrors,
        long entries,
        int pendingEvictions,
        Duration longestStaleness) {}
