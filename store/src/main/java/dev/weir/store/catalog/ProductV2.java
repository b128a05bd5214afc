package dev.weir.store.catalog;

import dev.weir.store.catalog.wire.ProductMessage;

/**
 * A product as the second version of the interface answers it; the JSON and the protobuf form have the same content.
 *
 * @param updatedAtMillis the last change of the price, in milliseconds since 1970-01-01T00:00Z
 */
record ProductV2(
        long id,
        String name,
        long priceCents,
        int stock,
        long updatedAtMillis,
        String sku,
        String brand,
        String category,
        String description) {

    static ProductV2 of(Product product) {
        return new ProductV2(
                product.id(),
                product.name(),
                product.priceCents(),
                product.stock(),
                product.updatedAt().toEpochMilli(),
                product.sku(),
                product.brand(),
                product.category(),
                product.description());
    }

    ProductMessage message() {
        return ProductMessage.newBuilder()
                .setId(id)
                .setName(name)
                .setPriceCents(priceCents)
                .setStock(stock)
                .setUpdatedAtMillis(updatedAtMillis)
                .setSku(sku)
                .setBrand(brand)
                .setCategory(category)
                .setDescription(description)
                .build();
    }
}
