package dev.weir.store.catalog;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * How the catalog is filled at the first start.
 *
 * @param products the number of products put into an empty table, 0 to 10,000,000; 0 puts none
 */
@ConfigurationProperties("store.seed")
record SeedSettings(int products) {

    SeedSettings {
        if (products < 0 || products > 10_000_000) {
            throw new IllegalArgumentException(
                    "store.seed.products is " + products + ": give a number from 0 (an empty catalog) to 10000000.");
        }
    }
}
