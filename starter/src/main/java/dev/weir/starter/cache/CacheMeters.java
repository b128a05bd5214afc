package dev.weir.starter.cache;

import dev.weir.core.cache.CacheStats;
import dev.weir.core.cache.LayeredCache;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Micrometer's own names for caches, with a tag for the layer, and what only this cache can tell. */
final class CacheMeters implements MeterBinder {

    private final @Nullable WeirCacheManager manager;

    /** @param manager null where the application has another one */
    CacheMeters(@Nullable WeirCacheManager manager) {
        this.manager = manager;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        if (manager != null) {
            manager.onEach(cache -> bind(registry, cache));
        }
    }

    private static void bind(MeterRegistry registry, LayeredCache<?, ?> cache) {
        String name = cache.config().name();
        Tags tags = Tags.of("cache", name, "name", name, "cache.manager", "weirCacheManager");
        Tags local = tags.and("layer", "local");
        Tags shared = tags.and("layer", "shared");
        count(registry, cache, "cache.gets", local.and("result", "hit"), CacheStats::localHits);
        count(registry, cache, "cache.gets", local.and("result", "miss"), CacheStats::localMisses);
        count(registry, cache, "cache.gets", shared.and("result", "hit"), CacheStats::sharedHits);
        count(registry, cache, "cache.gets", shared.and("result", "miss"), CacheStats::sharedMisses);
        count(registry, cache, "cache.puts", shared, CacheStats::puts);
        count(registry, cache, "cache.evictions", local, CacheStats::evictionsBySize);
        count(registry, cache, "weir.cache.invalidations", tags, CacheStats::evictions);
        count(registry, cache, "weir.cache.invalidations.deferred", tags, CacheStats::evictionsDeferred);
        count(registry, cache, "weir.cache.loads", tags.and("result", "success"), s -> s.loads() - s.loadFailures());
        count(registry, cache, "weir.cache.loads", tags.and("result", "failure"), CacheStats::loadFailures);
        count(registry, cache, "weir.cache.fills.refused", tags, CacheStats::fillsRefused);
        count(registry, cache, "weir.cache.puts.refused", tags, CacheStats::putsRefused);
        count(registry, cache, "weir.cache.stale.on.error", tags, CacheStats::staleOnError);
        count(registry, cache, "weir.cache.stale.on.pressure", tags, CacheStats::staleOnPressure);
        count(registry, cache, "weir.cache.refreshes", tags, CacheStats::refreshes);
        count(registry, cache, "weir.cache.drops", tags, CacheStats::drops);
        count(registry, cache, "weir.cache.redis.errors", tags, CacheStats::sharedErrors);
        gauge(registry, cache, "cache.size", local, CacheStats::entries);
        gauge(registry, cache, "weir.cache.invalidations.pending", tags, CacheStats::pendingEvictions);
        TimeGauge.builder(
                        "weir.cache.staleness.longest",
                        cache,
                        TimeUnit.NANOSECONDS,
                        c -> c.stats().longestStaleness().toNanos())
                .tags(tags)
                .description("How old a stale answer can be at most right now")
                .register(registry);
    }

    private static void count(
            MeterRegistry registry,
            LayeredCache<?, ?> cache,
            String meter,
            Tags tags,
            ToDoubleFunction<CacheStats> value) {
        FunctionCounter.builder(meter, cache, c -> value.applyAsDouble(c.stats()))
                .tags(tags)
                .register(registry);
    }

    private static void gauge(
            MeterRegistry registry,
            LayeredCache<?, ?> cache,
            String meter,
            Tags tags,
            ToDoubleFunction<CacheStats> value) {
        Gauge.builder(meter, cache, c -> value.applyAsDouble(c.stats()))
                .tags(tags)
                .register(registry);
    }
}
