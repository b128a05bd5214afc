package dev.weir.store.orders;

import dev.weir.store.idempotency.IdempotencyKey;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
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

    private static final String COLUMNS = "id, customer_id, status, total_cents, decline_reason, idempotency_key,"
            + " fingerprint, created_at, attempt, claim, case when reserved_until is null then 'NONE'"
            + " when reserved_until > clock_timestamp() then 'RUNNING' else 'OVER' end as reservation";

    /**
     * When a reservation of that many milliseconds is over; null, as without one, for null. Counted from the statement: a transaction may
     * have waited for a row before it.
     */
    private static final String UNTIL = "clock_timestamp() + cast(:millis as bigint) * interval '1 millisecond'";

    private static final String UNSETTLED = " and status in ('PENDING', 'UNCONFIRMED')";

    /** In place of a reason to decline: no attempt under this charge key can ever be charged. */
    static final String WITHDRAWN = "withdrawn";

    /** How an order stands with its stock. */
    enum Reservation {
        /** None of it is taken beyond a transaction. */
        NONE,
        /** It is taken, and whoever took it is at work: a request, or the sweeper where the order is unconfirmed. */
        RUNNING,
        /** It is taken, and anybody may settle it. */
        OVER
    }

    /**
     * A row of the table; the items stand in another.
     *
     * @param attempt 1, and one more whenever the charge key before was withdrawn
     * @param claim rises whenever somebody takes it on
     */
    record Row(
            UUID id,
            long customerId,
            OrderStatus status,
            long totalCents,
            @Nullable String declineReason,
            @Nullable String key,
            @Nullable String fingerprint,
            OffsetDateTime createdAt,
            int attempt,
            int claim,
            Reservation reservation) {

        /**
         * What this attempt is charged under. The first one's comes from the client's key, so that its next try finds the
         * charge of a store that has lost the order with it.
         */
        String chargeKey() {
            if (attempt > 1) {
                return "order-" + id + "-" + attempt;
            }
            return key == null ? "order-" + id : "key-" + key;
        }
    }

    private final JdbcClient jdbc;
    private final JdbcTemplate batches;

    OrderTable(JdbcClient jdbc, JdbcTemplate batches) {
        this.jdbc = jdbc;
        this.batches = batches;
    }

    /**
     * Opens an order, or finds that its key has been used: then it waits for the transaction that used it.
     *
     * @param reservation how long its stock is to be reserved; null where only this transaction has it
     * @return the new row, or empty when another order has the key
     */
    Optional<Row> open(NewOrder order, @Nullable IdempotencyKey key, @Nullable Duration reservation) {
        return jdbc.sql("insert into orders (customer_id, status, total_cents, idempotency_key, fingerprint,"
                        + " reserved_until) values (:customer, 'PENDING', 0, :key, :fingerprint, " + UNTIL + ")"
                        + " on conflict (idempotency_key) do nothing returning " + COLUMNS)
                .param("customer", order.customerId())
                .param("key", key == null ? null : key.value())
                .param("fingerprint", key == null ? null : order.fingerprint())
                .param("millis", millis(reservation))
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

    /** Takes an order on that nobody is at work on; with the same charge key unless that was withdrawn. */
    Row takeOn(Row order, @Nullable Duration reservation) {
        return jdbc.sql("update orders set status = 'PENDING', decline_reason = null, claim = claim + 1,"
                        + " attempt = attempt + :more, reserved_until = " + UNTIL + " where id = :id returning "
                        + COLUMNS)
                .param("more", WITHDRAWN.equals(order.declineReason()) ? 1 : 0)
                .param("millis", millis(reservation))
                .param("id", order.id())
                .query((row, number) -> row(row))
                .single();
    }

    /**
     * Takes on orders whose reservation is over, at most so many, and none that another transaction has locked. Nobody places them any
     * more, which their status says from now on.
     */
    List<Row> takeOnThoseOver(int most, Duration reservation) {
        // Materialized, so that the limit holds whatever plan is chosen. By now(), which an index can look for.
        return jdbc.sql("with due as materialized (select id as due_id from orders where reserved_until <= now()"
                        + " order by reserved_until limit :most for update skip locked)"
                        + " update orders set status = 'UNCONFIRMED', claim = claim + 1, reserved_until = " + UNTIL
                        + " from due where id = due_id returning " + COLUMNS)
                .param("millis", millis(reservation))
                .param("most", most)
                .query((row, number) -> row(row))
                .list();
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

    /**
     * Settles an attempt, if nobody has yet; its reservation ends.
     *
     * @return the number of the event about it, or empty where it was settled before
     */
    Optional<Integer> settle(
            Row row, OrderStatus status, long totalCents, @Nullable String chargeId, @Nullable String declineReason) {
        return jdbc.sql("update orders set status = :status, total_cents = :total, charge_id = :charge,"
                        + " decline_reason = :reason, reserved_until = null, events = events + 1"
                        + " where id = :id and attempt = :attempt" + UNSETTLED + " returning events")
                .param("status", status.name())
                .param("total", totalCents)
                .param("charge", chargeId)
                .param("reason", declineReason)
                .param("id", row.id())
                .param("attempt", row.attempt())
                .query(Integer.class)
                .optional();
    }

    /**
     * Leaves an attempt whose payment is not known to whoever takes it on next; its stock stays reserved.
     *
     * @return the number of the event about it, or empty where another has taken it on already
     */
    Optional<Integer> suspend(Row row, long totalCents) {
        return jdbc.sql("update orders set status = 'UNCONFIRMED', total_cents = :total, reserved_until = now(),"
                        + " events = events + 1 where id = :id and claim = :claim and status = 'PENDING'"
                        + " returning events")
                .param("total", totalCents)
                .param("id", row.id())
                .param("claim", row.claim())
                .query(Integer.class)
                .optional();
    }

    /**
     * Cancels an attempt that was certainly not charged, since nobody else has taken it on.
     *
     * @return the number of the event about it, or empty where another has
     */
    Optional<Integer> release(Row row, long totalCents) {
        return jdbc.sql("update orders set status = 'CANCELLED', total_cents = :total, reserved_until = null,"
                        + " events = events + 1 where id = :id and claim = :claim and status = 'PENDING'"
                        + " returning events")
                .param("total", totalCents)
                .param("id", row.id())
                .param("claim", row.claim())
                .query(Integer.class)
                .optional();
    }

    Row row(UUID id) {
        return jdbc.sql("select " + COLUMNS + " from orders where id = :id")
                .param("id", id)
                .query((row, number) -> row(row))
                .single();
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

    private static @Nullable Long millis(@Nullable Duration reservation) {
        return reservation == null ? null : reservation.toMillis();
    }

    private static Row row(ResultSet row) throws SQLException {
        return new Row(
                row.getObject("id", UUID.class),
                row.getLong("customer_id"),
                OrderStatus.valueOf(row.getString("status")),
                row.getLong("total_cents"),
                row.getString("decline_reason"),
                row.getString("idempotency_key"),
                row.getString("fingerprint"),
                row.getObject("created_at", OffsetDateTime.class),
                row.getInt("attempt"),
                row.getInt("claim"),
                Reservation.valueOf(row.getString("reservation")));
    }
}
