package dev.weir.store.orders;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.Http.Answer;
import dev.weir.store.RunningStore;
import dev.weir.store.orders.NewOrder.Line;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Orders in the stock form, which holds the stock's rows while the provider is asked. */
class OrdersIT extends OrdersContract {

    @RegisterExtension
    static final RunningStore held = new RunningStore();

    OrdersIT() {
        super(held);
    }

    @Test
    void aTimeoutGivesTheStockBack() throws SQLException {
        store.provider().configure("{\"payments\": {\"latencyMillis\": 2500}}");

        Answer late = order(order(3), "Idempotency-Key", key);

        assertThat(late.status()).isEqualTo(504);
        assertThat(stock()).isEqualTo(10);
    }

    @Test
    void aProviderThatFailsIsABadGatewayAndTheStockIsBack() throws SQLException {
        store.provider().configure("{\"payments\": {\"failureRate\": 1}}");

        Answer failed = order(order(3));

        assertThat(failed.status()).isEqualTo(502);
        assertThat(failed.problem()).isEqualTo("provider-failed");
        assertThat(status(failed)).isEqualTo("UNCONFIRMED");
        assertThat(stock()).isEqualTo(10);
    }

    @Test
    void anOrderThatAnotherStoreHasReservedIsInProgress() throws SQLException {
        String fingerprint = new NewOrder(7, List.of(new Line(product, 1))).fingerprint();
        store.execute(
                "insert into orders (customer_id, status, total_cents, idempotency_key, fingerprint, reserved_until)"
                        + " values (7, 'PENDING', 0, '" + key + "', '" + fingerprint
                        + "', now() + interval '1 minute')");

        assertThat(order(order(1), "Idempotency-Key", key).problem()).isEqualTo("request-in-progress");
        assertThat(stock()).isEqualTo(10);

        store.execute(
                "update orders set reserved_until = null, status = 'CANCELLED' where idempotency_key = '" + key + "'");
    }

    @Test
    void aPaidOrderIsInTheTotalsOfItsDayAtOnceAndIsWrittenDown() throws SQLException {
        long before = store.count("select coalesce(sum(total_cents), 0) from daily_totals");

        Answer placed = order(order(3));

        assertThat(store.count("select sum(total_cents) from daily_totals")).isEqualTo(before + 750);
        String id = placed.json().path("id").asString();
        assertThat(store.count("select count(*) from order_audit where status = 'PAID' and order_id = '" + id + "'"))
                .isEqualTo(1);
        assertThat(store.count("select sum(total_cents) from sales_facts where order_id = '" + id + "'"))
                .isEqualTo(750);
        String day = placed.json().path("createdAt").asString().substring(0, 10);
        assertThat(store.http()
                        .get("/api/totals/" + day)
                        .json()
                        .path("totalCents")
                        .asLong())
                .isGreaterThanOrEqualTo(750);
    }
}
