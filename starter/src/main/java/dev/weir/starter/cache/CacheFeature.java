package dev.weir.starter.cache;

import dev.weir.core.cache.CacheStats;
import dev.weir.core.cache.LayeredCache;
import dev.weir.core.cache.LayeredCaches;
import dev.weir.starter.FeatureStatus;
import dev.weir.starter.FeatureStatus.State;
import dev.weir.starter.WeirFeature;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How {@code weir.cache} stands. */
final class CacheFeature implements WeirFeature {

    private final CacheProperties properties;
    private final @Nullable WeirCacheManager manager;

    /** @param manager null where the application has another one, or a library is missing */
    CacheFeature(CacheProperties properties, @Nullable WeirCacheManager manager) {
        this.properties = properties;
        this.manager = manager;
    }

    @Override
    public String name() {
        return "cache";
    }

    @Override
    public FeatureStatus status() {
        if (!properties.enabled()) {
            return FeatureStatus.off();
        }
        if (manager == null) {
            return new FeatureStatus(
                    State.UNAVAILABLE,
                    Map.of(),
                    List.of(
                            "The application has a CacheManager of its own, or lacks spring-context, Caffeine or Lettuce:"
                                    + " remove the bean, or add spring-boot-starter-cache and spring-boot-starter-data-redis."));
        }
        return new FeatureStatus(State.ON, settings(manager), warnings(manager));
    }

    private Map<String, String> settings(WeirCacheManager on) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("mode", properties.mode().name().toLowerCase(Locale.ROOT));
        if (properties.mode() == CacheProperties.Mode.REDIS) {
            settings.put("staleness-bound", properties.stalenessBound().toMillis() + "ms");
            String yet = mayComeYet(on) ? " yet" : "";
            settings.put("nodes", on.caches().trusted() ? "proven" : "not proven" + yet);
            settings.put("redis", on.caches().sharedUsable() ? "used" : "not used" + yet);
        }
        settings.put("caches", Integer.toString(on.getCacheNames().size()));
        on.caches().caches().forEach(cache -> settings.put(cache.config().name(), describe(cache)));
        return settings;
    }

    private static String describe(LayeredCache<?, ?> cache) {
        CacheStats stats = cache.stats();
        long local = stats.localHits() + stats.localMisses();
        return "%d entries, %s local hits%s, stale %d ms at most"
                .formatted(
                        stats.entries(),
                        local == 0 ? "no" : 100 * stats.localHits() / local + "%",
                        cache.config().strict() ? ", strict" : "",
                        stats.longestStaleness().toMillis());
    }

    /** Whether all layers work, or would not do so yet by now if Redis answers. */
    private static boolean mayComeYet(WeirCacheManager on) {
        LayeredCaches caches = on.caches();
        return caches.notReadyFor().compareTo(caches.config().readyWithin()) < 0;
    }

    private List<String> warnings(WeirCacheManager on) {
        List<String> sentences = new ArrayList<>();
        if (properties.mode() == CacheProperties.Mode.LOCAL) {
            sentences.add(
                    "Values are kept in this process alone and evictions reach no other: run one instance only, or"
                            + " set weir.cache.mode=redis.");
        } else if (!mayComeYet(on)) {
            sentences.add("Redis has not answered, or not for a whole staleness bound, since "
                    + on.caches().notReadyFor().toSeconds()
                    + " s: caches answer for ttl-without-redis, strict ones not at all.");
        }
        for (LayeredCache<?, ?> cache : on.caches().caches()) {
            int pending = cache.stats().pendingEvictions();
            if (pending > 0) {
                sentences.add("Cache " + cache.config().name() + " has " + pending
                        + " evictions that Redis does not know of yet; they are tried again until it does.");
            }
        }
        return sentences;
    }
}
