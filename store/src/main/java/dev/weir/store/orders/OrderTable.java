package dev.weir.store.orders;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Orders and their items in PostgreSQL; takes part in the caller's transaction. */
@Repository
class OrderTable {

    private static final String COLUMNS =
            "id, customer_id, status, total_cents, decline_reason, fingerprint, created_at";

    /** A row of the table; the items stand in another. */
    record Row(
            UUID id,
            long customerId,
            OrderStatus status,
            long totalCents,
            @Nullable String declineReason,
            @Nullable String fingerprint,
            OffsetDateTime createdAt) {}

    private final JdbcClient jdbc;
    private final JdbcTemplate batches;

    OrderTable(JdbcClient jdbc, JdbcTemplate batches) {
        this.jdbc = jdbc;
        this.batches = batches;
    }

    /**
     * Opens an order, or finds that its key has been used: then it waits for the transaction that used it.
     *
     * @return the new row, or empty when another order has the key
     */
    Optional<Row> open(NewOrder order, @Nullable IdempotencyKey key) {
        return jdbc.sql("insert into orders (customer_id, status, total_cents, idempotency_key, fingerprint)"
                        + " values (:customer, 'PENDING', 0, :key, :fingerprint)"
                        + " on conflict (idempotency_key) do nothing returning " + COLUMNS)
                .param("customer", order.customerId())
                .param("key", key == null ? null : key.value())
                .param("fingerprint", key == null ? null : order.fingerprint())
                .query((row, number) -> row(row))
                .optional();
    }

    /** The order with this key, locked until the transaction ends. */
    Optional<Row> lock(IdempotencyKey key) {
        return jdbc.sql("select " + COLUMNS + " from orders where idempotency_key = :key for update")
                .param("key", key.value())
                .query((row, number) -> row(row))
                .optional();
    }

    void addItems(UUID orderId, List<OrderItem> items) {
        batches.batchUpdate(
                "insert into order_items (order_id, product_id, quantity, unit_price_cents) values (?, ?, ?, ?)",
                items,
                items.size(),
                (statement, item) -> {
                    statement.setObject(1, orderId);
                    statement.setLong(2, item.productId());
                    statement.setInt(3, item.quantity());
                    statement.setLong(4, item.unitPriceCents());
                });
    }

    List<OrderItem> items(UUID orderId) {
        return jdbc.sql("select product_id, quantity, unit_price_cents from order_items where order_id = :id"
                        + " order by product_id")
                .param("id", orderId)
                .query((row, number) -> new OrderItem(row.getLong(1), row.getInt(2), row.getLong(3)))
                .list();
    }

    void close(
            UUID orderId,
            OrderStatus status,
            long totalCents,
            @Nullable String chargeId,
            @Nullable String declineReason) {
        jdbc.sql("update orders set status = :status, total_cents = :total, charge_id = :charge,"
                        + " decline_reason = :reason where id = :id")
                .param("status", status.name())
                .param("total", totalCents)
                .param("charge", chargeId)
                .param("reason", declineReason)
                .param("id", orderId)
                .update();
    }

    Optional<Order> find(UUID id) {
        return jdbc.sql("select " + COLUMNS + " from orders where id = :id")
                .param("id", id)
                .query((row, number) -> row(row))
                .optional()
                .map(row -> order(row, row.status(), items(id)));
    }

    static Order order(Row row, OrderStatus status, List<OrderItem> items) {
        long totalCents = items.stream().mapToLong(OrderItem::totalCents).sum();
        return new Order(
                row.id(),
                row.customerId(),
                status,
                items,
                totalCents,
                row.createdAt().toInstant());
    }

    private static Row row(ResultSet row) throws SQLException {
        return new Row(
                row.getObject("id", UUID.class),
                row.getLong("customer_id"),
                OrderStatus.valueOf(row.getString("status")),
                row.getLong("total_cents"),
                row.getString("decline_reason"),
                row.getString("fingerprint"),
                row.getObject("created_at", OffsetDateTime.class));
    }
}
