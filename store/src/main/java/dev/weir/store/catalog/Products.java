package dev.weir.store.catalog;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/**
 * The products in PostgreSQL. Every method blocks for one statement in a transaction of its own, read-only where it only
 * reads, which is what {@code weir.route} goes by.
 */
@Repository
class Products {

    private static final String COLUMNS =
            "p.id, p.sku, p.name, p.brand, p.category, p.description, p.price_cents," + " p.stock, p.updated_at";

    /** The matches are collected once, as ids; only the rows of the page asked for are read whole. */
    private static final String SEARCH = "with hits as materialized ("
            + "select id from products where name_words @@ cast(:words as tsquery)), "
            + "page as (select id from hits order by id limit :size offset :offset) "
            + "select counted.total, " + COLUMNS + " from (select count(*) as total from hits) counted "
            + "left join page on true left join products p on p.id = page.id order by p.id";

    private final JdbcClient jdbc;
    private final ApplicationEventPublisher events;

    Products(JdbcClient jdbc, ApplicationEventPublisher events) {
        this.jdbc = jdbc;
        this.events = events;
    }

    @Transactional(readOnly = true)
    public Optional<Product> find(long id) {
        return jdbc.sql("select " + COLUMNS + " from products p where p.id = :id")
                .param("id", id)
                .query((row, number) -> product(row))
                .optional();
    }

    @Transactional(readOnly = true)
    public ProductPage search(String words, int page, int size) {
        ResultSetExtractor<ProductPage> extractor = rows -> page(rows, page, size);
        return jdbc.sql(SEARCH)
                .param("words", words)
                .param("size", size)
                .param("offset", page * size)
                .query(extractor);
    }

    @Transactional
    public Optional<Product> changePrice(long id, long priceCents) {
        events.publishEvent(new ProductChanged(id));
        return jdbc.sql("update products p set price_cents = :price, updated_at = date_trunc('milliseconds', now())"
                        + " where p.id = :id returning " + COLUMNS)
                .param("price", priceCents)
                .param("id", id)
                .query((row, number) -> product(row))
                .optional();
    }

    private static ProductPage page(ResultSet rows, int page, int size) throws SQLException {
        List<Product> products = new ArrayList<>(size);
        long total = 0;
        while (rows.next()) {
            total = rows.getLong("total");
            if (rows.getString("sku") != null) {
                products.add(product(rows));
            }
        }
        return new ProductPage(products, page, size, total);
    }

    private static Product product(ResultSet row) throws SQLException {
        return new Product(
                row.getLong("id"),
                row.getString("sku"),
                row.getString("name"),
                row.getString("brand"),
                row.getString("category"),
                row.getString("description"),
                row.getLong("price_cents"),
                row.getInt("stock"),
                row.getObject("updated_at", OffsetDateTime.class).toInstant());
    }
}
