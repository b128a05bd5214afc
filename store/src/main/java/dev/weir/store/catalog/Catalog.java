package dev.weir.store.catalog;

import java.util.Optional;
import org.springframework.cache.annotation.CacheEvict;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.stereotype.Service;

/**
 * The products as the controllers see them. Where {@code weir.cache} is on, whole products are kept in the cache
 * {@value #CACHE} and dropped when their price or stock has changed; where it is off, every call is a statement.
 */
@Service
class Catalog {

    /** One cache for text, price and stock: an answer needs all three, and one lookup is half the cost of two. */
    static final String CACHE = "products";

    private final Products products;

    Catalog(Products products) {
        this.products = products;
    }

    @Cacheable(cacheNames = CACHE, sync = true)
    public Optional<Product> find(long id) {
        return products.find(id);
    }

    /** Searches are not cached: they are too many and too different. */
    public ProductPage search(String words, int page, int size) {
        return products.search(words, page, size);
    }

    @CacheEvict(cacheNames = CACHE, key = "#id")
    public Optional<Product> changePrice(long id, long priceCents) {
        return products.changePrice(id, priceCents);
    }
}
