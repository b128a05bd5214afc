package dev.weir.store.catalog;

import dev.weir.core.cache.Entry;
import dev.weir.core.cache.LayeredCache;
import dev.weir.core.express.HotEntries;
import dev.weir.core.express.HotEntry;
import org.jspecify.annotations.Nullable;

/**
 * The cache's entries as the express lane sees them. The lane's view of an entry is attached to it, so that the bytes
 * encoded from a product live as long as the cache's entry and no hit makes an object.
 */
final class CachedHotProducts implements HotEntries<Long, Product> {

    private final Catalog catalog;
    private final LayeredCache<?, ?> cache;

    CachedHotProducts(Catalog catalog, LayeredCache<?, ?> cache) {
        this.catalog = catalog;
        this.cache = cache;
    }

    @Override
    public @Nullable HotEntry<Product> peek(Long id) {
        Entry<?> entry = products(cache).peek(id);
        if (entry == null) {
            return null;
        }
        if (entry.attachment() instanceof Hot hot) {
            return hot;
        }
        return entry.value() instanceof Product product ? attached(entry, product) : null;
    }

    /** Loads through the catalog, which fills the cache; where the cache may not keep it, for this answer alone. */
    @Override
    public @Nullable HotEntry<Product> load(Long id) {
        Product product = catalog.find(id).orElse(null);
        if (product == null) {
            return null;
        }
        HotEntry<Product> kept = peek(id);
        return kept == null ? new Hot(product) : kept;
    }

    private static Hot attached(Entry<?> entry, Product product) {
        var hot = new Hot(product);
        entry.attach(hot);
        return hot;
    }

    @SuppressWarnings("unchecked") // The catalog alone fills this cache, with ids for keys.
    private static LayeredCache<Object, ?> products(LayeredCache<?, ?> cache) {
        return (LayeredCache<Object, ?>) cache;
    }

    /** One product with its encoded forms. */
    private static final class Hot implements HotEntry<Product> {

        private final Product product;
        private volatile @Nullable Object attachment;

        Hot(Product product) {
            this.product = product;
        }

        @Override
        public Product value() {
            return product;
        }

        @Override
        public @Nullable Object attachment() {
            return attachment;
        }

        @Override
        public void attach(Object forms) {
            attachment = forms;
        }
    }
}
