package dev.weir.store.catalog;

import java.util.Optional;
import org.springframework.cache.annotation.CacheEvict;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * What can still be sold. Takes part in the caller's transaction: the row of a product is locked from the first take
 * until the transaction ends, so callers take several products in the order of their ids.
 */
@Repository
public class Stock {

    /** What became of a take. */
    public sealed interface Take {

        /**
         * The stock is lower by the quantity asked for.
         *
         * @param unitPriceCents the price of one at this moment
         */
        record Taken(long unitPriceCents) implements Take {}

        /**
         * Nothing was taken.
         *
         * @param left how many there are
         */
        record NotEnough(int left) implements Take {}

        /** Nothing was taken. */
        record NoSuchProduct() implements Take {}
    }

    private final JdbcClient jdbc;
    private final ApplicationEventPublisher events;

    Stock(JdbcClient jdbc, ApplicationEventPublisher events) {
        this.jdbc = jdbc;
        this.events = events;
    }

    /** Takes all or nothing; blocks while another transaction holds the product. */
    @CacheEvict(cacheNames = Catalog.CACHE, key = "#productId")
    public Take take(long productId, int quantity) {
        events.publishEvent(new ProductChanged(productId));
        Optional<Long> price = jdbc.sql("update products set stock = stock - :quantity"
                        + " where id = :id and stock >= :quantity returning price_cents")
                .param("quantity", quantity)
                .param("id", productId)
                .query((row, number) -> row.getLong(1))
                .optional();
        return price.<Take>map(Take.Taken::new).orElseGet(() -> refusal(productId));
    }

    /** Puts back what was taken. */
    @CacheEvict(cacheNames = Catalog.CACHE, key = "#productId")
    public void giveBack(long productId, int quantity) {
        events.publishEvent(new ProductChanged(productId));
        jdbc.sql("update products set stock = stock + :quantity where id = :id")
                .param("quantity", quantity)
                .param("id", productId)
                .update();
    }

    private Take refusal(long productId) {
        return jdbc.sql("select stock from products where id = :id")
                .param("id", productId)
                .query((row, number) -> row.getInt(1))
                .optional()
                .<Take>map(Take.NotEnough::new)
                .orElseGet(Take.NoSuchProduct::new);
    }
}
