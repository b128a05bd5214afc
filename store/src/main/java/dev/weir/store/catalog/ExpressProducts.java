package dev.weir.store.catalog;

import dev.weir.core.cache.LayeredCache;
import dev.weir.core.express.CaffeineHotEntries;
import dev.weir.core.express.ExpressRoute;
import dev.weir.core.express.HotEntries;
import dev.weir.core.route.PrimaryScope;
import dev.weir.starter.express.LayeredHotEntries;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.transaction.event.TransactionalEventListener;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/**
 * The express route of version 2. It answers from the entries of {@code weir.cache} where that is on, and so is as strict
 * as they are; without it from its own, which hear of this instance's changes at once and of others' after a second.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty("weir.express.enabled")
class ExpressProducts {

    private static final int OWN_ENTRIES = 10_000;
    private static final Duration OWN_TIME_TO_LIVE = Duration.ofSeconds(1);

    /** Entries of the route's own, unused where the cache has them; from the primary, since a replica may not have the change yet. */
    @Bean
    CaffeineHotEntries<Long, Product> ownHotProducts(Catalog catalog) {
        return new CaffeineHotEntries<>(
                OWN_ENTRIES,
                OWN_TIME_TO_LIVE,
                id -> PrimaryScope.call(() -> catalog.find(id)).orElse(null));
    }

    @Bean
    ExpressRoute<Long, Product> productRoute(
            Products products,
            CaffeineHotEntries<Long, Product> own,
            ObjectProvider<CacheManager> caches,
            JsonMapper mapper) {
        ObjectWriter json = mapper.writerFor(ProductV2.class);
        HotEntries<Long, Product> cached = cachedProducts(products, caches.getIfAvailable());
        return ExpressRoute.of("/api/v2/products/{id}", Long::valueOf, cached == null ? own : cached)
                .produces(MediaType.APPLICATION_JSON_VALUE, product -> json.writeValueAsBytes(ProductV2.of(product)))
                .produces(
                        ProductV2Controller.PROTOBUF,
                        product -> ProductV2.of(product).message().toByteArray())
                // Prices are shown as they are: clients ask again, and get 304 while nothing has changed.
                .cacheControl("no-cache")
                .openToAll()
                .build();
    }

    @Bean
    OwnEntriesDropper ownEntriesDropper(CaffeineHotEntries<Long, Product> own) {
        return new OwnEntriesDropper(own);
    }

    // The catalog alone fills this cache: ids for keys, products for values.
    @SuppressWarnings("unchecked")
    private static @Nullable HotEntries<Long, Product> cachedProducts(
            Products products, @Nullable CacheManager caches) {
        Cache cache = caches == null ? null : caches.getCache(Catalog.CACHE);
        return cache != null && cache.getNativeCache() instanceof LayeredCache<?, ?> layered
                ? new LayeredHotEntries<>(
                        (LayeredCache<Long, Product>) layered,
                        id -> products.find(id).orElse(null))
                : null;
    }

    /** Hears of changes once they are committed. */
    record OwnEntriesDropper(CaffeineHotEntries<Long, Product> own) {

        @TransactionalEventListener(fallbackExecution = true)
        void changed(ProductChanged changed) {
            own.drop(changed.id());
        }
    }
}
