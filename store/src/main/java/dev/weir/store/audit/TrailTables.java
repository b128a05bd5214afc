package dev.weir.store.audit;

import java.sql.Types;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;

/** The trail in PostgreSQL; takes part in the caller's transaction. */
@Repository
class TrailTables {

    private final JdbcTemplate jdbc;

    TrailTables(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    void write(TrailEntry entry) {
        jdbc.update(
                "insert into order_audit (order_id, customer_id, status) values (?, ?, ?)",
                new Object[] {entry.orderId(), entry.customerId(), entry.status()},
                new int[] {Types.OTHER, Types.BIGINT, Types.VARCHAR});
        jdbc.batchUpdate(
                "insert into sales_facts (order_id, product_id, quantity, total_cents) values (?, ?, ?, ?)",
                entry.sales(),
                Math.max(1, entry.sales().size()),
                (statement, sale) -> {
                    statement.setObject(1, entry.orderId());
                    statement.setLong(2, sale.productId());
                    statement.setInt(3, sale.quantity());
                    statement.setLong(4, sale.totalCents());
                });
    }
}
