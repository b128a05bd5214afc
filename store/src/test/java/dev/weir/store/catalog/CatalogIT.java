package dev.weir.store.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.RunningStore;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.transaction.support.TransactionOperations;
import tools.jackson.databind.JsonNode;

class CatalogIT {

    @RegisterExtension
    static final RunningStore store = new RunningStore();

    @Test
    void theCatalogIsSeededWithTheNumberAskedFor() throws SQLException {
        assertThat(store.count("select count(*) from products")).isEqualTo(RunningStore.PRODUCTS);
    }

    @Test
    void aProductIsAnsweredAsItWasSeeded() {
        Product seeded = SeedText.product(17);

        var answer = store.http().get("/api/products/17");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("content-type")).isEqualTo("application/json");
        assertThat(answer.body().getBytes(StandardCharsets.UTF_8)).hasSizeBetween(800, 900);
        assertThat(answer.json().path("name").asString()).isEqualTo(seeded.name());
        assertThat(answer.json().path("description").asString()).isEqualTo(seeded.description());
        assertThat(answer.json().path("priceCents").asLong()).isEqualTo(seeded.priceCents());
        assertThat(answer.json().path("updatedAt").asString())
                .isEqualTo(seeded.updatedAt().toString());
    }

    @Test
    void aSearchPagesThroughEveryMatchOnce() {
        List<Long> expected = LongStream.rangeClosed(1, RunningStore.PRODUCTS)
                .filter(id -> SeedText.product(id).name().contains("Wireless"))
                .boxed()
                .toList();
        List<Long> found = new ArrayList<>();
        for (int page = 0; page * 10 < expected.size(); page++) {
            JsonNode answer = search("wireless", page, 10);
            assertThat(answer.path("total").asInt()).isEqualTo(expected.size());
            answer.path("products")
                    .forEach(product -> found.add(product.path("id").asLong()));
        }

        assertThat(expected).hasSizeGreaterThan(20);
        assertThat(found).isEqualTo(expected);
    }

    @Test
    void aPageBehindTheLastIsEmptyAndStillSaysHowManyThereAre() {
        JsonNode answer = search("wireless", 500, 20);

        assertThat(answer.path("products")).isEmpty();
        assertThat(answer.path("total").asInt()).isPositive();
    }

    @Test
    void wordsMayBeUnfinishedAndInAnyOrder() {
        JsonNode answer = search("head wire", 0, 100);

        assertThat(answer.path("products")).isNotEmpty();
        answer.path("products")
                .forEach(product -> assertThat(product.path("name").asString())
                        .contains("Wireless")
                        .contains("Headphones"));
    }

    @Test
    void nothingTypedActsAsAnOperator() {
        for (String typed : List.of("wire' | '", "a & !b", "x:*<->y", "';drop table products;--", "ö\\'")) {
            String query = URLEncoder.encode(typed, StandardCharsets.UTF_8);
            assertThat(store.http().get("/api/products?query=" + query).status())
                    .as(typed)
                    .isEqualTo(200);
        }
    }

    @Test
    void aSearchUsesTheIndex() throws SQLException {
        try (var connection = store.connect();
                var statement = connection.createStatement()) {
            statement.execute("set enable_seqscan = off");
            var plan = new StringBuilder();
            try (var rows = statement.executeQuery(
                    "explain select id from products where name_words @@ '''wire'':*'::tsquery")) {
                while (rows.next()) {
                    plan.append(rows.getString(1)).append('\n');
                }
            }
            assertThat(plan.toString()).contains("products_name_words");
        }
    }

    @Test
    void aPriceChangeIsSeenByTheNextRead() {
        var changed = store.http().put("/api/products/18/price", "{\"priceCents\": 4711}");

        assertThat(changed.status()).isEqualTo(200);
        JsonNode read = store.http().get("/api/products/18").json();
        assertThat(read).isEqualTo(changed.json());
        assertThat(read.path("priceCents").asLong()).isEqualTo(4711);
        assertThat(read.path("updatedAt").asString())
                .isGreaterThan(SeedText.product(18).updatedAt().toString());
    }

    @Test
    void aSecondStartLeavesTheCatalogAsItIs() throws SQLException {
        store.execute("update products set stock = 3 where id = 19");

        new CatalogSeeder(store.bean(DataSource.class), store.bean(TransactionOperations.class), new SeedSettings(1))
                .afterSingletonsInstantiated();

        assertThat(store.count("select count(*) from products")).isEqualTo(RunningStore.PRODUCTS);
        assertThat(store.count("select stock from products where id = 19")).isEqualTo(3);
    }

    private static JsonNode search(String query, int page, int size) {
        String encoded = URLEncoder.encode(query, StandardCharsets.UTF_8);
        return store.http()
                .get("/api/products?query=" + encoded + "&page=" + page + "&size=" + size)
                .json();
    }
}
