package dev.weir.bench.protobuf;

import dev.weir.bench.protobuf.wire.PriceTierMessage;
import dev.weir.bench.protobuf.wire.ProductMessage;
import dev.weir.bench.protobuf.wire.WarehouseMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/** A product with what a shop shows beside it; the JSON is written from this record, the protobuf from its message. */
record Detail(
        long id,
        String name,
        long priceCents,
        int stock,
        long updatedAtMillis,
        String sku,
        String brand,
        String category,
        String description,
        List<Warehouse> warehouses,
        List<PriceTier> priceTiers) {

    /** What one warehouse has of it. */
    record Warehouse(int warehouseId, int available, int reserved, int reorderLevel) {}

    /** The price of one from a quantity on. */
    record PriceTier(int minQuantity, long priceCents) {}

    private static final String BLURB = "Lasts a working day on one charge, pairs with two devices at once, and comes"
            + " with a cable. The housing is cooled without a fan and stays quiet. ";
    private static final int STORE_DESCRIPTION_CHARS = 630;
    private static final long UPDATED_AT = 1_767_600_000_000L;

    /** Mostly numbers: 5 warehouses and 4 price tiers beside a name and two sentences. */
    static Detail ofNumbers(long seed) {
        var random = new SplittableRandom(seed);
        int price = 2_000 + random.nextInt(180_000);
        List<Warehouse> warehouses = new ArrayList<>();
        int stock = 0;
        for (int i = 0; i < 5; i++) {
            int available = 10 + random.nextInt(400);
            stock += available;
            warehouses.add(new Warehouse(1 + i, available, random.nextInt(40), 10 + random.nextInt(90)));
        }
        List<PriceTier> tiers = new ArrayList<>();
        for (int quantity : new int[] {5, 10, 25, 100}) {
            tiers.add(new PriceTier(quantity, price - (long) quantity * (price / 400)));
        }
        return base(random, price, stock, BLURB.strip(), warehouses, tiers);
    }

    /** Mostly text, as the products of the store. */
    static Detail ofText(long seed) {
        var random = new SplittableRandom(seed);
        String text = BLURB.repeat(STORE_DESCRIPTION_CHARS / BLURB.length() + 1)
                .substring(0, STORE_DESCRIPTION_CHARS - random.nextInt(40));
        return base(random, 2_000 + random.nextInt(180_000), 50 + random.nextInt(950), text, List.of(), List.of());
    }

    private static Detail base(
            SplittableRandom random,
            int price,
            int stock,
            String description,
            List<Warehouse> warehouses,
            List<PriceTier> tiers) {
        long id = 1L + random.nextInt(100_000);
        return new Detail(
                id,
                "Kestrel Cordless Power Bank " + (char) ('A' + random.nextInt(26)) + (100 + random.nextInt(900)),
                price,
                stock,
                UPDATED_AT + random.nextInt(1_000_000_000),
                String.format(Locale.ROOT, "ELE-%07d", id),
                "Kestrel",
                "Electronics",
                description,
                warehouses,
                tiers);
    }

    ProductMessage message() {
        ProductMessage.Builder message = ProductMessage.newBuilder()
                .setId(id)
                .setName(name)
                .setPriceCents(priceCents)
                .setStock(stock)
                .setUpdatedAtMillis(updatedAtMillis)
                .setSku(sku)
                .setBrand(brand)
                .setCategory(category)
                .setDescription(description);
        for (Warehouse warehouse : warehouses) {
            message.addWarehouses(WarehouseMessage.newBuilder()
                    .setWarehouseId(warehouse.warehouseId())
                    .setAvailable(warehouse.available())
                    .setReserved(warehouse.reserved())
                    .setReorderLevel(warehouse.reorderLevel()));
        }
        for (PriceTier tier : priceTiers) {
            message.addPriceTiers(PriceTierMessage.newBuilder()
                    .setMinQuantity(tier.minQuantity())
                    .setPriceCents(tier.priceCents()));
        }
        return message.build();
    }
}
