package dev.weir.core.cache;

import java.util.concurrent.atomic.LongAdder;

/** What one cache has counted since it was made. */
final class CacheCounters {
    final LongAdder localHits = new LongAdder();
    final LongAdder localMisses = new LongAdder();
    final LongAdder sharedHits = new LongAdder();
    final LongAdder sharedMisses = new LongAdder();
    final LongAdder loads = new LongAdder();
    final LongAdder loadFailures = new LongAdder();
    final LongAdder puts = new LongAdder();
    final LongAdder evictions = new LongAdder();
    final LongAdder evictionsBySize = new LongAdder();
    final LongAdder evictionsDeferred = new LongAdder();
    final LongAdder fillsRefused = new LongAdder();
    final LongAdder putsRefused = new LongAdder();
    final LongAdder staleOnError = new LongAdder();
    final LongAdder staleOnPressure = new LongAdder();
    final LongAdder refreshes = new LongAdder();
    final LongAdder drops = new LongAdder();
    final LongAdder sharedErrors = new LongAdder();
}
