package dev.weir.store.orderview;

import dev.weir.store.orderevents.OrderEvent;
import java.sql.PreparedStatement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The read model in PostgreSQL; writing takes part in the caller's transaction. */
@Repository
class OrderViewTable {

    /** An order as its events tell it. */
    record ViewedOrder(UUID orderId, long customerId, String status, long totalCents, int sequence, Instant at) {}

    /** One event of an order. */
    record ViewedEvent(int sequence, String status, long totalCents, Instant at) {}

    private final JdbcClient jdbc;
    private final JdbcTemplate batches;

    OrderViewTable(JdbcClient jdbc, JdbcTemplate batches) {
        this.jdbc = jdbc;
        this.batches = batches;
    }

    /** The number of the last known event of each of these orders that is known. */
    Map<UUID, Integer> sequences(Collection<UUID> orders) {
        Map<UUID, Integer> known = new HashMap<>();
        batches.query(
                connection -> {
                    PreparedStatement statement = connection.prepareStatement(
                            "select order_id, sequence from order_view where order_id = any (?)");
                    statement.setArray(1, connection.createArrayOf("uuid", orders.toArray()));
                    return statement;
                },
                row -> {
                    known.put(row.getObject(1, UUID.class), row.getInt(2));
                });
        return known;
    }

    /** Keeps events, each order's in their order. */
    void keep(List<OrderEvent> events) {
        batches.batchUpdate(
                "insert into order_view_events (order_id, sequence, status, total_cents, at) values (?, ?, ?, ?, ?)"
                        + " on conflict do nothing",
                events,
                Math.max(1, events.size()),
                (statement, event) -> {
                    statement.setObject(1, event.orderId());
                    statement.setInt(2, event.sequence());
                    statement.setString(3, event.status());
                    statement.setLong(4, event.totalCents());
                    statement.setObject(5, time(event));
                });
        Collection<OrderEvent> last = lastOfEach(events);
        batches.batchUpdate(
                "insert into order_view (order_id, customer_id, status, total_cents, sequence, updated_at)"
                        + " values (?, ?, ?, ?, ?, ?) on conflict (order_id) do update set status = excluded.status,"
                        + " total_cents = excluded.total_cents, sequence = excluded.sequence,"
                        + " updated_at = excluded.updated_at where order_view.sequence < excluded.sequence",
                last,
                Math.max(1, last.size()),
                (statement, event) -> {
                    statement.setObject(1, event.orderId());
                    statement.setLong(2, event.customerId());
                    statement.setString(3, event.status());
                    statement.setLong(4, event.totalCents());
                    statement.setInt(5, event.sequence());
                    statement.setObject(6, time(event));
                });
    }

    private static Collection<OrderEvent> lastOfEach(List<OrderEvent> events) {
        Map<UUID, OrderEvent> last = new LinkedHashMap<>();
        events.forEach(event -> last.put(event.orderId(), event));
        return last.values();
    }

    private static OffsetDateTime time(OrderEvent event) {
        return event.at().atOffset(ZoneOffset.UTC);
    }

    /** The newest orders of a customer, at most so many. */
    List<ViewedOrder> ofCustomer(long customerId, int most) {
        return jdbc.sql("select order_id, customer_id, status, total_cents, sequence, updated_at from order_view"
                        + " where customer_id = :customer order by order_id desc limit :most")
                .param("customer", customerId)
                .param("most", most)
                .query((row, number) -> new ViewedOrder(
                        row.getObject(1, UUID.class),
                        row.getLong(2),
                        row.getString(3),
                        row.getLong(4),
                        row.getInt(5),
                        row.getObject(6, OffsetDateTime.class).toInstant()))
                .list();
    }

    /** The events of an order that have arrived, by their number. */
    List<ViewedEvent> events(UUID orderId) {
        return jdbc.sql("select sequence, status, total_cents, at from order_view_events where order_id = :id"
                        + " order by sequence")
                .param("id", orderId)
                .query((row, number) -> new ViewedEvent(
                        row.getInt(1),
                        row.getString(2),
                        row.getLong(3),
                        row.getObject(4, OffsetDateTime.class).toInstant()))
                .list();
    }
}
