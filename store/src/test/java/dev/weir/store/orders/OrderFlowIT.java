package dev.weir.store.orders;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.stack.Postgres;
import dev.weir.stack.Stack;
import dev.weir.stack.StackConfig;
import dev.weir.stack.StackProgress;
import dev.weir.store.Http;
import dev.weir.store.StoreApplication;
import dev.weir.store.Together;
import dev.weir.store.Until;
import dev.weir.store.provider.ProviderServer;
import dev.weir.store.start.Child;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The write path as it should be, on real servers, whatever happens to the store and its provider: afterwards nothing was
 * oversold, what was charged is what was paid, the totals are those of the paid orders, and the read model is the orders.
 */
class OrderFlowIT {

    private static final int PRODUCTS = 50;
    private static final int STOCK = 5;

    private static final String AT_ONCE =
            "{\"payments\": {\"latencyMillis\": 0, \"jitterMillis\": 0, \"failureRate\": 0, \"declineRate\": 0}}";

    private static @Nullable Stack stack;
    private static @Nullable ProviderServer provider;

    private static @Nullable Path folder;

    /** Runs all the time; each test starts and ends what it needs besides. */
    private static @Nullable Child lasting;

    private long chargedBefore;

    @BeforeAll
    static void start(@TempDir Path made) throws Exception {
        folder = made;
        stack = Stack.start(
                StackConfig.defaults().withStandbys(0).withRedis(false).withKafka(true), StackProgress.silent());
        provider = ProviderServer.start(0);
        lasting = store();
        warmUp(lasting.http());
    }

    /** Otherwise a busy machine takes longer for the first orders than they may wait for their payment. */
    private static void warmUp(Http http) throws Exception {
        provider().configure(AT_ONCE);
        List<Integer> statuses = Together.run(
                60, number -> http.post("/api/orders", order(number)).status());
        assertThat(statuses).contains(201);
        allIsSettled();
    }

    @AfterAll
    static void stop() {
        if (lasting != null) {
            lasting.close();
        }
        if (provider != null) {
            provider.close();
        }
        if (stack != null) {
            stack.close();
        }
    }

    @BeforeEach
    void aProviderThatAnswersAtOnce() {
        provider().configure(AT_ONCE);
        chargedBefore = provider().charged();
    }

    @Test
    void aStoreThatIsKilledBetweenReservationAndConfirmationLosesNothing() throws Exception {
        int orders = 20;
        try (var first = store("--store.payments.timeout=6s", "--store.orders.reservation=8s")) {
            Http http = first.http();
            fillTheShelves();
            // Half are charged when the store dies, half are not and never will be.
            provider().configure("{\"payments\": {\"latencyMillis\": 5000, \"failureRate\": 0.5}}");
            long arrived = provider().arrived();
            try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
                List<CompletableFuture<Void>> sent = new ArrayList<>();
                for (int i = 0; i < orders; i++) {
                    int number = i;
                    sent.add(CompletableFuture.runAsync(() -> sendAndLose(http, number), clients));
                }
                Until.isTrue(() -> provider().arrived() == arrived + orders);
                assertThat(count("select count(*) from orders where status = 'PENDING'"))
                        .isEqualTo(orders);

                first.process().destroyForcibly();
                CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new)).join();
            }
        }
        aProviderThatAnswersLikeNothingHappened();
        allIsSettled();
        assertThat(count("select count(*) from orders where status = 'PAID'"))
                .isEqualTo(provider().charged() - chargedBefore);
        theBooksAreRight();
    }

    @Test
    void aProviderThatIsSlowFailsAndDeclinesLeavesTheBooksRight() throws Exception {
        Http http = lasting().http();
        fillTheShelves();
        provider()
                .configure(
                        "{\"payments\": {\"latencyMillis\": 0, \"jitterMillis\": 2500, \"failureRate\": 0.2, \"declineRate\": 0.4}}");

        List<Integer> statuses = Together.run(
                150, number -> http.post("/api/orders", order(number)).status());

        assertThat(statuses).contains(201, 402, 409, 502, 504);
        aProviderThatAnswersLikeNothingHappened();
        allIsSettled();
        assertThat(count("select count(*) from orders where status = 'PAID'"))
                .isEqualTo(provider().charged() - chargedBefore);
        theBooksAreRight();
    }

    @Test
    void twoStoresThatSweepTheSameOrdersSettleEachOnce() throws Exception {
        try (var other = store()) {
            other.http();
            Http http = lasting().http();
            fillTheShelves();
            provider().configure("{\"payments\": {\"latencyMillis\": 2000}}");

            List<Integer> statuses = Together.run(
                    60, number -> http.post("/api/orders", order(number)).status());

            assertThat(statuses).contains(504);
            aProviderThatAnswersLikeNothingHappened();
            allIsSettled();
            theBooksAreRight();
        }
    }

    /** Shelves are full, and what was sold before counts no more. */
    private void fillTheShelves() throws SQLException {
        execute("truncate order_items, orders, daily_totals, order_view, order_view_events");
        execute("update products set stock = " + STOCK + ", price_cents = 100 + id");
    }

    private void aProviderThatAnswersLikeNothingHappened() {
        provider().configure(AT_ONCE);
    }

    private static void allIsSettled() {
        Until.isTrue(() -> count("select count(*) from orders where reserved_until is not null") == 0);
        Until.isTrue(() -> count("select count(*) from totals_outbox") == 0);
        Until.isTrue(() -> count("select count(*) from orders o where not exists (select from order_view v"
                        + " where v.order_id = o.id and v.sequence = o.events)")
                == 0);
    }

    private static void theBooksAreRight() throws SQLException {
        assertThat(count("select count(*) from orders where status not in ('PAID', 'DECLINED', 'CANCELLED')"))
                .isZero();
        assertThat(count("select count(*) from products p where stock <> " + STOCK
                        + " - coalesce((select sum(i.quantity) from order_items i join orders o on o.id = i.order_id"
                        + " where i.product_id = p.id and o.status = 'PAID'), 0)"))
                .isZero();
        assertThat(count("select coalesce(sum(total_cents), 0) from daily_totals"))
                .isEqualTo(count("select coalesce(sum(total_cents), 0) from orders where status = 'PAID'"));
        assertThat(count("select coalesce(sum(orders), 0) from daily_totals"))
                .isEqualTo(count("select count(*) from orders where status = 'PAID'"));
        assertThat(count("select count(*) from orders o left join order_view v on v.order_id = o.id"
                        + " where v.status is distinct from o.status or v.total_cents is distinct from o.total_cents"
                        + " or v.customer_id is distinct from o.customer_id"))
                .isZero();
        assertThat(count("select count(*) from orders o where o.events <> (select count(*) from order_view_events e"
                        + " where e.order_id = o.id)"))
                .isZero();
    }

    private static void sendAndLose(Http http, int number) {
        try {
            http.post("/api/orders", order(number), "Idempotency-Key", "flow-" + number);
        } catch (UncheckedIOException e) {
            // The store was killed before it answered.
        }
    }

    private static String order(int number) {
        int product = number % PRODUCTS + 1;
        int other = (number * 7 + 3) % PRODUCTS + 1;
        String second = other == product ? "" : ", {\"productId\": %d, \"quantity\": 1}".formatted(other);
        return "{\"customerId\": %d, \"items\": [{\"productId\": %d, \"quantity\": 2}%s]}"
                .formatted(number + 1, product, second);
    }

    private static Child lasting() {
        return Objects.requireNonNull(lasting, "not started");
    }

    private static Child store(String... more) throws IOException {
        Postgres postgres = running().postgres();
        List<String> settings = new ArrayList<>(List.of(
                "--server.port=0",
                "--store.exit-with-pid=" + ProcessHandle.current().pid(),
                "--spring.datasource.url=" + postgres.jdbcUrl(),
                "--spring.datasource.username=" + postgres.user(),
                "--spring.datasource.password=" + postgres.password(),
                "--spring.kafka.bootstrap-servers=" + running().kafka().bootstrap(),
                "--store.seed.products=" + PRODUCTS,
                "--store.payments.url=" + provider().url(),
                "--store.orders.stock=reserved",
                "--store.orders.totals=deferred",
                "--store.orders.audit=best-effort",
                "--weir.defer.enabled=true",
                "--store.orders.events=deferred",
                "--weir.outbox.enabled=true",
                "--weir.outbox.lease-time=2s",
                "--store.orders.sweep-interval=100ms"));
        settings.addAll(
                more.length > 0
                        ? List.of(more)
                        : List.of("--store.payments.timeout=1500ms", "--store.orders.reservation=4s"));
        return Child.start(
                Objects.requireNonNull(folder, "not started"),
                StoreApplication.class.getName(),
                "--store.port-file",
                settings.toArray(String[]::new));
    }

    private static Stack running() {
        return Objects.requireNonNull(stack, "not started");
    }

    private static ProviderServer provider() {
        return Objects.requireNonNull(provider, "not started");
    }

    private static long count(String sql) throws SQLException {
        Postgres postgres = running().postgres();
        try (var connection = DriverManager.getConnection(postgres.jdbcUrl(), postgres.user(), postgres.password());
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private static void execute(String sql) throws SQLException {
        Postgres postgres = running().postgres();
        try (var connection = DriverManager.getConnection(postgres.jdbcUrl(), postgres.user(), postgres.password());
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
