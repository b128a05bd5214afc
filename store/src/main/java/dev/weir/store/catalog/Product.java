package dev.weir.store.catalog;

import java.time.Instant;

/**
 * A product as it is stored and as it is answered; the JSON of a seeded one is 800 to 900 bytes.
 *
 * @param priceCents the price of one, in cents, above 0
 * @param stock how many can still be sold, never below 0
 * @param updatedAt the last change of the price
 */
record Product(
        long id,
        String sku,
        String name,
        String brand,
        String category,
        String description,
        long priceCents,
        int stock,
        Instant updatedAt) {}
