package dev.weir.store.orders;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.Http;
import dev.weir.store.Http.Answer;
import dev.weir.store.RunningStore;
import dev.weir.store.Together;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What holds for every way to place orders. */
abstract class OrdersContract {

    /** Each test sells a product of its own. */
    private static final AtomicLong nextProduct = new AtomicLong(100);

    final RunningStore store;
    final long product = nextProduct.getAndIncrement();
    final String key = UUID.randomUUID().toString();
    private long chargedBefore;

    OrdersContract(RunningStore store) {
        this.store = store;
    }

    @BeforeEach
    void tenAreInStock() throws SQLException {
        store.execute("update products set stock = 10, price_cents = 250 where id = " + product);
        chargedBefore = store.provider().charged();
    }

    @Test
    void anOrderIsChargedAndTakesItsStock() throws SQLException {
        Answer placed = order(order(3));

        assertThat(placed.status()).isEqualTo(201);
        assertThat(placed.json().path("status").asString()).isEqualTo("PAID");
        assertThat(placed.json().path("totalCents").asLong()).isEqualTo(750);
        assertThat(stock()).isEqualTo(7);
        assertThat(charged()).isEqualTo(1);
        assertThat(store.http().get(placed.header("location")).json()).isEqualTo(placed.json());
    }

    @Test
    void theSameKeyAndBodyAnswersTheSameAndChargesOnce() throws SQLException {
        Answer first = order(order(3), "Idempotency-Key", key);
        Answer second = order(order(3), "Idempotency-Key", "\"" + key + "\"");

        assertThat(second.status()).isEqualTo(201);
        assertThat(second.json()).isEqualTo(first.json());
        assertThat(second.header("Idempotency-Replayed")).isEqualTo("true");
        assertThat(stock()).isEqualTo(7);
        assertThat(charged()).isEqualTo(1);
    }

    @Test
    void theSameKeyAtTheSameMomentPlacesOneOrder() throws Exception {
        store.provider().configure("{\"payments\": {\"latencyMillis\": 50}}");

        List<Answer> answers = Together.run(8, number -> order(order(1), "Idempotency-Key", key));

        assertThat(answers).extracting(Answer::status).containsOnly(201);
        assertThat(answers.stream().map(Answer::json).distinct()).hasSize(1);
        assertThat(stock()).isEqualTo(9);
        assertThat(charged()).isEqualTo(1);
    }

    @Test
    void theSameKeyWithAnotherBodyIsRefused() throws SQLException {
        order(order(1), "Idempotency-Key", key);

        Answer other = order(order(2), "Idempotency-Key", key);

        assertThat(other.status()).isEqualTo(422);
        assertThat(other.problem()).isEqualTo("idempotency-key-reused");
        assertThat(stock()).isEqualTo(9);
        assertThat(charged()).isEqualTo(1);
    }

    @Test
    void aKeyThatIsStillBeingUsedIsAConflictAndNotAWaitWithoutEnd() throws SQLException {
        try (var connection = store.connect();
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("insert into orders (customer_id, status, total_cents, idempotency_key)"
                    + " values (1, 'PENDING', 0, '" + key + "')");

            Answer answer = order(order(1), "Idempotency-Key", key);

            assertThat(answer.status()).isEqualTo(409);
            assertThat(answer.problem()).isEqualTo("request-in-progress");
            assertThat(answer.header("retry-after")).isNotEmpty();
            connection.rollback();
        }
    }

    @Test
    void aProductLockedForTooLongIsABusyDatabase() throws SQLException {
        try (var connection = store.connect();
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("update products set stock = stock where id = " + product);

            Answer answer = order(order(1));

            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.problem()).isEqualTo("database-busy");
            assertThat(charged()).isZero();
            connection.rollback();
        }
    }

    @Test
    void moreThanThereIsIsNeverSold() throws Exception {
        List<Answer> answers = Together.run(30, number -> order(order(1)));

        assertThat(answers.stream().filter(answer -> answer.status() == 201)).hasSize(10);
        assertThat(answers.stream().filter(answer -> answer.status() != 201))
                .extracting(Answer::problem)
                .containsOnly("out-of-stock");
        assertThat(stock()).isZero();
        assertThat(charged()).isEqualTo(10);
    }

    @Test
    void ordersOverTheSameProductsInOppositeOrderDoNotBlockEachOther() throws Exception {
        long other = nextProduct.getAndIncrement();
        store.execute("update products set stock = 100 where id in (" + product + ", " + other + ")");

        List<Answer> answers = Together.run(
                20, number -> order(number % 2 == 0 ? order(1, product, other) : order(1, other, product)));

        assertThat(answers).extracting(Answer::status).containsOnly(201);
        assertThat(stock()).isEqualTo(80);
    }

    @Test
    void aDeclinedPaymentGivesTheStockBackAndStaysDeclined() throws SQLException {
        store.provider().configure("{\"payments\": {\"declineRate\": 1}}");
        Answer declined = order(order(3), "Idempotency-Key", key);
        store.provider().configure("{\"payments\": {\"declineRate\": 0}}");
        Answer again = order(order(3), "Idempotency-Key", key);

        assertThat(declined.status()).isEqualTo(402);
        assertThat(declined.problem()).isEqualTo("payment-declined");
        assertThat(again.status()).isEqualTo(402);
        assertThat(again.json()).isEqualTo(declined.json());
        assertThat(stock()).isEqualTo(10);
        assertThat(charged()).isZero();
        assertThat(status(declined)).isEqualTo("DECLINED");
    }

    @Test
    void afterATimeoutTheNextTryIsNotChargedTwice() throws SQLException {
        store.provider().configure("{\"payments\": {\"latencyMillis\": 2500}}");
        Answer late = order(order(3), "Idempotency-Key", key);
        store.provider().configure("{\"payments\": {\"latencyMillis\": 0}}");
        store.execute("update products set price_cents = 999 where id = " + product);
        Answer again = order(order(3), "Idempotency-Key", key);

        assertThat(late.status()).isEqualTo(504);
        assertThat(late.problem()).isEqualTo("provider-timeout");
        assertThat(again.status()).isEqualTo(201);
        assertThat(again.json().path("id")).isEqualTo(late.json().path("orderId"));
        assertThat(again.json().path("totalCents").asLong()).isEqualTo(750);
        assertThat(stock()).isEqualTo(7);
        assertThat(charged()).isEqualTo(1);
    }

    @Test
    void aProviderAtItsLimitIsToldToTheCaller() throws SQLException {
        store.provider().configure("{\"payments\": {\"limitPerSecond\": 1}}");

        Answer busy = order(order(1));
        for (int i = 0; i < 20 && busy.status() == 201; i++) {
            store.execute("update products set stock = 10 where id = " + product);
            busy = order(order(1));
        }

        assertThat(busy.status()).isEqualTo(503);
        assertThat(busy.problem()).isEqualTo("provider-busy");
        assertThat(busy.header("retry-after")).isEqualTo("1");
        assertThat(stock()).isEqualTo(10);
    }

    @Test
    void aChargeWhoseOrderWasNeverCommittedIsFoundAgainByItsKey() throws SQLException {
        chargeAsAStoreThatDiedBeforeItsCommit(750);

        Answer placed = order(order(3), "Idempotency-Key", key);

        assertThat(placed.status()).isEqualTo(201);
        assertThat(charged()).isEqualTo(1);
    }

    @Test
    void aChargeOverAnotherAmountIsNotTakenForThisOrder() throws SQLException {
        chargeAsAStoreThatDiedBeforeItsCommit(1);

        Answer answer = order(order(3), "Idempotency-Key", key);

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.problem()).isEqualTo("payment-mismatch");
        assertThat(stock()).isEqualTo(10);
    }

    @Test
    void aKeyThatCannotBeAKeyIsRefused() {
        assertThat(order(order(1), "Idempotency-Key", "with a space").problem()).isEqualTo("idempotency-key-malformed");
        assertThat(order(order(1), "Idempotency-Key", "").problem()).isEqualTo("idempotency-key-malformed");
        assertThat(order(order(1), "Idempotency-Key", "k".repeat(256)).problem())
                .isEqualTo("idempotency-key-malformed");
    }

    @Test
    void anUnknownOrderIsNotFound() {
        Answer answer = store.http().get("/api/orders/" + UUID.randomUUID());

        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.problem()).isEqualTo("order-not-found");
    }

    @Test
    void whatCannotBeOrderedIsRefusedBeforeAnythingIsTaken() throws SQLException {
        assertThat(order(order(11)).problem()).isEqualTo("out-of-stock");
        assertThat(order(order(1, product, product)).problem()).isEqualTo("validation-failed");
        assertThat(order(order(1, product, 99_999_999)).problem()).isEqualTo("validation-failed");
        assertThat(order(order(0)).problem()).isEqualTo("validation-failed");
        assertThat(order("{\"customerId\": 1, \"items\": []}").problem()).isEqualTo("validation-failed");
        assertThat(order("{\"customerId\": 1, \"items\": [null]}").problem()).isEqualTo("validation-failed");
        assertThat(order("{}").problem()).isEqualTo("validation-failed");
        assertThat(stock()).isEqualTo(10);
        assertThat(charged()).isZero();
    }

    void chargeAsAStoreThatDiedBeforeItsCommit(long cents) {
        var charge = new Http(store.provider().port())
                .post("/charges", "{\"amountCents\": " + cents + "}", "Idempotency-Key", "key-" + key);
        assertThat(charge.status()).isEqualTo(201);
    }

    String order(int quantity) {
        return order(quantity, product);
    }

    static String order(int quantity, long... products) {
        var items = new StringBuilder();
        for (long id : products) {
            items.append(items.isEmpty() ? "" : ", ")
                    .append("{\"productId\": %d, \"quantity\": %d}".formatted(id, quantity));
        }
        return "{\"customerId\": 7, \"items\": [" + items + "]}";
    }

    Answer order(String body, String... headers) {
        return store.http().post("/api/orders", body, headers);
    }

    String status(Answer problem) {
        String id = problem.json().path("orderId").asString();
        return store.http().get("/api/orders/" + id).json().path("status").asString();
    }

    long stock() throws SQLException {
        return store.count("select stock from products where id = " + product);
    }

    long charged() {
        return store.provider().charged() - chargedBefore;
    }
}
