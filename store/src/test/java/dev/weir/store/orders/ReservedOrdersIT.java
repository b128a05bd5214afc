package dev.weir.store.orders;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.Http;
import dev.weir.store.Http.Answer;
import dev.weir.store.RunningStore;
import dev.weir.store.Together;
import dev.weir.store.Until;
import dev.weir.store.payments.PaymentProvider;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionCallback;
import org.springframework.transaction.support.TransactionOperations;

/** Orders that reserve their stock, with totals, trail and settlement off the request. */
class ReservedOrdersIT extends OrdersContract {

    @RegisterExtension
    static final RunningStore reserving = new RunningStore(
            "--store.orders.stock=reserved",
            "--store.orders.totals=deferred",
            "--store.orders.audit=best-effort",
            "--weir.defer.enabled=true",
            "--weir.defer.best-effort.running=2",
            "--store.orders.reservation=3s",
            "--store.orders.sweep-interval=50ms");

    ReservedOrdersIT() {
        super(reserving);
    }

    @Test
    void neitherAConnectionNorARowIsHeldWhileTheProviderIsAsked() throws Exception {
        store.provider().configure("{\"payments\": {\"latencyMillis\": 700}}");

        // More at once than the pool has connections, all for one product: held, they would take ten times 700 ms.
        List<Answer> answers = Together.run(10, number -> order(order(1)));

        assertThat(answers).extracting(Answer::status).containsOnly(201);
        assertThat(store.provider().mostChargesAtOnce()).isGreaterThanOrEqualTo(8);
        assertThat(stock()).isZero();
    }

    @Test
    void aTimeoutIsSettledByFindingTheCharge() throws SQLException {
        store.provider().configure("{\"payments\": {\"latencyMillis\": 1500}}");
        Answer late = order(order(3));
        store.provider().configure("{\"payments\": {\"latencyMillis\": 0}}");

        assertThat(late.status()).isEqualTo(504);
        Until.isTrue(() -> status(late).equals("PAID"));
        assertThat(stock()).isEqualTo(7);
        assertThat(charged()).isEqualTo(1);
    }

    @Test
    void aFailureIsSettledByWithdrawingTheCharge() throws SQLException {
        store.provider().configure("{\"payments\": {\"failureRate\": 1}}");
        Answer failed = order(order(3));

        assertThat(failed.status()).isEqualTo(502);
        assertThat(status(failed)).isEqualTo("UNCONFIRMED");
        assertThat(stock()).isEqualTo(7);

        store.provider().configure("{\"payments\": {\"failureRate\": 0}}");
        Until.isTrue(() -> status(failed).equals("CANCELLED"));
        assertThat(stock()).isEqualTo(10);
        assertThat(charged()).isZero();
    }

    @Test
    void aSweeperGoesOnAfterAnExceptionOfAnyKind() {
        AtomicInteger looks = new AtomicInteger();
        TransactionOperations broken = new TransactionOperations() {
            @Override
            public <T extends @Nullable Object> T execute(TransactionCallback<T> action) {
                looks.incrementAndGet();
                throw new IllegalStateException("no transaction today");
            }
        };
        Sweeper sweeper = new Sweeper(
                store.bean(OrderBook.class),
                store.bean(OrderNews.class),
                store.bean(PaymentProvider.class),
                broken,
                store.bean(OrderSettings.class),
                new SimpleMeterRegistry());
        sweeper.start();
        try {
            Until.isTrue(() -> looks.get() >= 3);
        } finally {
            sweeper.stop();
        }
    }

    @Test
    void whatADeadStoreHasChargedIsPaid() throws SQLException {
        UUID order = reservedByADeadStore(4);
        charge("order-" + order, 1_000);

        runsOut(order);

        Until.isTrue(() -> status(order).equals("PAID"));
        assertThat(stock()).isEqualTo(6);
        assertThat(charged()).isEqualTo(1);
    }

    @Test
    void whatADeadStoreHasNotChargedIsGivenBackAndNeverChargedLater() throws SQLException {
        UUID order = reservedByADeadStore(4);

        runsOut(order);

        Until.isTrue(() -> status(order).equals("CANCELLED"));
        assertThat(stock()).isEqualTo(10);
        assertThat(charge("order-" + order, 1_000).status()).isEqualTo(410);
        assertThat(charged()).isZero();
    }

    @Test
    void aRetryPassesTheSweeperThatAsksTheSame() throws SQLException {
        store.provider().configure("{\"payments\": {\"failureRate\": 1}}");
        UUID order = reservedByADeadStore(4);
        store.execute("update orders set idempotency_key = '" + key + "', fingerprint = '"
                + new NewOrder(7, List.of(new NewOrder.Line(product, 4))).fingerprint() + "' where id = '" + order
                + "'");
        runsOut(order);
        // The sweeper has it, and no answer.
        Until.isTrue(() -> status(order).equals("UNCONFIRMED"));
        store.execute("update orders set reserved_until = now() + interval '1 minute' where id = '" + order + "'");
        store.provider().configure("{\"payments\": {\"failureRate\": 0}}");

        Answer retried = order(order(4), "Idempotency-Key", key);

        assertThat(retried.status()).as(retried.body()).isEqualTo(201);
        assertThat(retried.json().path("id").asString()).isEqualTo(order.toString());
        assertThat(store.count("select attempt from orders where id = '" + order + "'"))
                .isEqualTo(1);
        assertThat(stock()).isEqualTo(6);
        assertThat(charged()).isEqualTo(1);
    }

    @Test
    void aReservationIsCountedFromItsStatement() {
        OrderTable table = store.bean(OrderTable.class);
        JdbcTemplate jdbc = store.bean(JdbcTemplate.class);
        NewOrder wanted = new NewOrder(7, List.of(new NewOrder.Line(product, 1)));
        store.bean(TransactionOperations.class).executeWithoutResult(status -> {
            // As a transaction that has waited for a row.
            jdbc.execute("select pg_sleep(0.05)");
            UUID order = table.open(wanted, null, Duration.ofMinutes(1))
                    .orElseThrow()
                    .id();
            assertThat(jdbc.queryForObject(
                            "select reserved_until - now() >= interval '60.05 seconds' from orders where id = ?",
                            Boolean.class,
                            order))
                    .isTrue();
            status.setRollbackOnly();
        });
    }

    @Test
    void aCancelledOrderIsTriedAnewUnderItsKey() throws SQLException {
        store.provider().configure("{\"payments\": {\"failureRate\": 1}}");
        Answer failed = order(order(3), "Idempotency-Key", key);
        store.provider().configure("{\"payments\": {\"failureRate\": 0}}");
        Until.isTrue(() -> status(failed).equals("CANCELLED"));

        Answer again = order(order(3), "Idempotency-Key", key);

        assertThat(again.status()).as(again.body()).isEqualTo(201);
        assertThat(again.json().path("id")).isEqualTo(failed.json().path("orderId"));
        assertThat(stock()).isEqualTo(7);
        assertThat(charged()).isEqualTo(1);
    }

    @Test
    void aReservationThatRunsOutWhileTheProviderIsAskedHasOneOutcome() throws Exception {
        store.provider().configure("{\"payments\": {\"latencyMillis\": 800}}");

        List<Answer> answers = Together.run(2, number -> number == 0 ? order(order(3)) : runOut());

        assertThat(answers.getFirst().status()).isIn(201, 504);
        Until.isTrue(() -> store.count("select count(*) from orders o join order_items i on i.order_id = o.id"
                        + " where i.product_id = " + product + " and o.reserved_until is not null")
                == 0);
        assertThat(stock()).isEqualTo(10 - 3 * charged());
        assertThat(answers.getFirst().status()).isEqualTo(charged() == 1 ? 201 : 504);
    }

    @Test
    void aPaidOrderReachesTheTotalsOfItsDayOnce() throws Exception {
        Until.isTrue(() -> store.count("select count(*) from totals_outbox") == 0);
        long settled = store.count("select coalesce(sum(total_cents), 0) from daily_totals");

        Together.run(10, number -> order(order(1)));

        Until.isTrue(() -> store.count("select count(*) from totals_outbox") == 0);
        assertThat(store.count("select sum(total_cents) from daily_totals")).isEqualTo(settled + 2_500);
    }

    @Test
    void aPaidOrderIsWrittenDownSoon() throws SQLException {
        String id = order(order(2)).json().path("id").asString();

        Until.isTrue(() -> store.count("select count(*) from order_audit where order_id = '" + id + "'") == 1);
        Until.isTrue(() -> store.count("select sum(quantity) from sales_facts where order_id = '" + id + "'") == 2);
    }

    private Answer runOut() {
        Until.isTrue(() -> store.count("select count(*) from orders where reserved_until is not null") > 0);
        try {
            store.execute("update orders set reserved_until = now() where reserved_until is not null");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return store.http().get("/actuator/health");
    }

    /** Reserved for a minute by a store that is no more. */
    private UUID reservedByADeadStore(int quantity) throws SQLException {
        UUID order = UUID.randomUUID();
        store.execute("insert into orders (id, customer_id, status, total_cents, reserved_until) values ('" + order
                + "', 7, 'PENDING', 0, now() + interval '1 minute')");
        store.execute("insert into order_items (order_id, product_id, quantity, unit_price_cents) values ('" + order
                + "', " + product + ", " + quantity + ", 250)");
        store.execute("update products set stock = stock - " + quantity + " where id = " + product);
        return order;
    }

    private void runsOut(UUID order) throws SQLException {
        store.execute("update orders set reserved_until = now() where id = '" + order + "'");
    }

    private Answer charge(String chargeKey, long cents) {
        return new Http(store.provider().port())
                .post("/charges", "{\"amountCents\": " + cents + "}", "Idempotency-Key", chargeKey);
    }

    private String status(UUID order) {
        return store.http().get("/api/orders/" + order).json().path("status").asString();
    }
}
