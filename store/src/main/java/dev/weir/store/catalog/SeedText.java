package dev.weir.store.catalog;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * The seeded products as a pure function of their id, so that every run and every machine has the same ones.
 *
 * <p>Names are unequal in length and descriptions fill up what they leave with whole sentences: name and description
 * together have {@value #TEXT_CHARS} characters, up to {@value #TEXT_SPREAD_CHARS} more and at most
 * {@value #SHORTEST} less, which makes the JSON of a product 800 to 900 bytes.
 */
final class SeedText {

    private static final int TEXT_CHARS = 658;
    private static final int TEXT_SPREAD_CHARS = 60;
    private static final int SHORTEST = 16;
    private static final Instant FIRST_UPDATE = Instant.parse("2026-01-05T08:00:00Z");

    private record Category(String name, List<String> nouns, List<String> features) {}

    private static final List<String> BRANDS = List.of(
            "Nordvik",
            "Halden",
            "Brightwater",
            "Kestrel",
            "Oakline",
            "Tamarind",
            "Lumiere",
            "Vantor",
            "Pinecrest",
            "Solara",
            "Marlowe",
            "Quillon",
            "Eastgate",
            "Riverstone",
            "Cobalt",
            "Fennmark",
            "Alder & Ash",
            "Maruyama",
            "Stellan",
            "Brisa",
            "Copperfield",
            "Ardent",
            "Wrenfield",
            "Zephyr");

    private static final List<String> ADJECTIVES = List.of(
            "Compact",
            "Wireless",
            "Foldable",
            "Classic",
            "Lightweight",
            "Insulated",
            "Adjustable",
            "Waterproof",
            "Portable",
            "Cordless",
            "Ergonomic",
            "Silent",
            "Rugged",
            "Slim",
            "Modular",
            "Stackable",
            "Breathable",
            "Rechargeable",
            "Reinforced",
            "Everyday",
            "Heavy Duty",
            "Premium",
            "Junior",
            "Travel");

    private static final List<Category> CATEGORIES = List.of(
            new Category(
                    "Electronics",
                    List.of("Headphones", "Speaker", "Keyboard", "Monitor", "Power Bank", "Webcam", "Router", "Tablet"),
                    List.of(
                            "The battery lasts a working day and charges to eighty percent in about forty minutes.",
                            "Pairs with two devices at the same time and switches between them without a cable.",
                            "A status light shows the charge, the connection and a pending firmware update.",
                            "The housing is cooled without a fan, so it stays quiet on a desk or a night stand.",
                            "Comes with a braided USB-C cable and a quick start card in eight languages.")),
            new Category(
                    "Kitchen",
                    List.of("Kettle", "Saucepan", "Chef Knife", "Blender", "Toaster", "Cutting Board", "Mixing Bowl"),
                    List.of(
                            "The base spreads the heat evenly and works on gas, electric and induction hobs.",
                            "All parts that touch food are free of plasticisers and go into the dishwasher.",
                            "The handle stays cool and is riveted, so it does not come loose over the years.",
                            "Marks on the inside show half litres and cups; the rim pours without dripping.",
                            "A recipe booklet with twenty dishes for two and for six people is included.")),
            new Category(
                    "Garden",
                    List.of("Pruning Shears", "Watering Can", "Garden Hose", "Wheelbarrow", "Planter", "Leaf Rake"),
                    List.of(
                            "Powder coated against rust and tested through three winters of frost and salt.",
                            "The grip is sized for gloved hands and the lock opens with a single thumb.",
                            "Spare blades, washers and fittings stay available for at least ten years.",
                            "Weighs little enough to be carried in one hand along a narrow bed.",
                            "Hangs flat on the wall in winter; the bracket and two screws are in the box.")),
            new Category(
                    "Outdoor",
                    List.of("Backpack", "Rain Jacket", "Sleeping Bag", "Tent", "Hiking Boots", "Trekking Poles"),
                    List.of(
                            "Seams are taped and the zips run under a storm flap, for a full day of steady rain.",
                            "Packs down to the size of a water bottle and dries overnight on a line.",
                            "Reflective trim on the front and the back makes it visible from eighty metres.",
                            "The hip belt and the straps fit people between 1.55 and 1.95 metres tall.",
                            "Made of recycled fabric; a repair kit with two patches comes with it.")),
            new Category(
                    "Office",
                    List.of("Desk Lamp", "Office Chair", "Notebook", "Paper Shredder", "Filing Cabinet", "Whiteboard"),
                    List.of(
                            "Put together in ten minutes with the one key that comes in the box.",
                            "Meets the standard for eight hours of daily use and carries a five year warranty.",
                            "The surface takes no fingerprints and is wiped clean with a damp cloth.",
                            "Leaves room for a cable to pass behind it and for a plug to the side.",
                            "Order ten or more and the delivery is carried up to the floor you name.")),
            new Category(
                    "Home",
                    List.of("Bath Towel", "Duvet", "Wall Clock", "Laundry Basket", "Curtain", "Vacuum Cleaner", "Rug"),
                    List.of(
                            "Washable at sixty degrees and tested for harmful substances by an outside laboratory.",
                            "The colours were chosen to go with each other across the whole range.",
                            "Runs at a level that does not disturb a conversation in the same room.",
                            "Takes up little space when it is put away, and stands by itself.",
                            "Filters and replacement parts are sold one by one, not only as a set.")));

    private static final List<String> OPENINGS = List.of(
            "Made for people who use it every day and want to stop thinking about it.",
            "A quiet favourite of our customers for many seasons, now with better fittings.",
            "Designed together with a small workshop and tested for a year before its first sale.",
            "The version for small flats and tight shelves, without giving up what matters.",
            "Sturdy, simple and easy to repair, with nothing on it that could be left out.");

    /** Longest first, so that the first one that fits leaves the least room. */
    private static final List<String> CLOSINGS = Stream.of(
                    "The two year warranty covers wear as well; spare parts are listed on the last page of the manual.",
                    "If it does not fit, send it back with the label in the parcel and choose another size or colour.",
                    "Pairs well with the other pieces of the same line, which share their colours and fastenings.",
                    "Ships within two working days in a box without plastic; returns are free for thirty days.",
                    "Our shops keep it on display, and the help line answers questions about it on weekdays.",
                    "Customers mention the finish and the packaging most often in their reviews.",
                    "Tested by an independent laboratory; the full report is on our website.",
                    "Suitable for left-handed and right-handed people alike.",
                    "One of the ten articles most often ordered again last year.",
                    "Designed in Oslo and made in a workshop in Northern Italy.",
                    "Colours may differ slightly from the picture.",
                    "The box can be used again for storing it.",
                    "A gift card can be added to the parcel.",
                    "Delivered fully assembled.",
                    "Gift wrapping on request.",
                    "Sold as a single piece.",
                    "Made in Portugal.",
                    "New this season.")
            .sorted(Comparator.comparingInt(String::length).reversed())
            .toList();

    private SeedText() {}

    /** The product with this id, from 1 on; the same at every call. */
    static Product product(long id) {
        var random = new SplittableRandom(id);
        Category category = pick(CATEGORIES, random);
        String brand = pick(BRANDS, random);
        String adjective = pick(ADJECTIVES, random);
        String noun = pick(category.nouns(), random);
        String name = brand + " " + adjective + " " + noun + " " + model(random);
        String sku = String.format(
                Locale.ROOT, "%s-%07d", category.name().substring(0, 3).toUpperCase(Locale.ROOT), id);
        int textChars = TEXT_CHARS + random.nextInt(TEXT_SPREAD_CHARS);
        String subject = "The " + (adjective + " " + noun).toLowerCase(Locale.ROOT) + " by " + brand + ".";
        String description = description(subject, category, random, textChars - name.length());
        return new Product(
                id,
                sku,
                name,
                brand,
                category.name(),
                description,
                priceCents(random),
                50 + random.nextInt(950),
                FIRST_UPDATE.plus(Duration.ofSeconds(random.nextInt(25_000_000))));
    }

    private static String model(SplittableRandom random) {
        char letter = (char) ('A' + random.nextInt(26));
        return letter + "" + (100 + random.nextInt(900));
    }

    /** Most products are cheap: 1.99 to 20 is as frequent as 20 to 200 and 200 to 2,000. */
    private static long priceCents(SplittableRandom random) {
        long euros = Math.round(Math.pow(10, 0.3 + 3 * random.nextDouble()));
        return euros * 100 - 1;
    }

    private static String description(String subject, Category category, SplittableRandom random, int chars) {
        var text = new StringBuilder(chars).append(subject).append(' ').append(pick(OPENINGS, random));
        int feature = random.nextInt(category.features().size());
        for (int i = 0; i < category.features().size(); i++) {
            text.append(' ')
                    .append(category.features()
                            .get((feature + i) % category.features().size()));
        }
        for (int room = chars - text.length(); room > SHORTEST; room = chars - text.length()) {
            text.append(' ').append(closing(random, room - 1));
        }
        return text.toString();
    }

    /** Any sentence while there is room for all; at the end the longest one that fits. */
    private static String closing(SplittableRandom random, int room) {
        if (room > 2 * CLOSINGS.getFirst().length()) {
            return pick(CLOSINGS, random);
        }
        return CLOSINGS.stream()
                .filter(text -> text.length() <= room)
                .findFirst()
                .orElseThrow();
    }

    private static <T> T pick(List<T> from, SplittableRandom random) {
        return from.get(random.nextInt(from.size()));
    }
}
