package dev.weir.bench.store;

import dev.weir.lab.compare.FreePort;
import dev.weir.lab.compare.ServiceFailure;
import dev.weir.lab.compare.ServiceProcess;
import dev.weir.lab.compare.ServiceStart;
import dev.weir.lab.measure.Measurement;
import dev.weir.lab.plan.Load;
import dev.weir.stack.Stack;
import dev.weir.stack.StackConfig;
import dev.weir.stack.StackProgress;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** The stock form and another that take orders, on one database, one Kafka and one payment provider. */
final class OrderForms implements AutoCloseable {

    private static final Duration PAYMENT = Duration.ofMillis(50);
    private static final Duration READY_WITHIN = Duration.ofMinutes(2);
    private static final Duration SETTLED_WITHIN = Duration.ofMinutes(1);

    private static final Duration WARM_WINDOW = Duration.ofSeconds(15);
    private static final int WARM_ROUNDS = 16;
    private static final int FLAT_ROUNDS = 3;

    /** A form that answers by as much more than in any round before still warms up. */
    private static final double RISING = 1.03;

    /** More than any run can sell. */
    private static final int PLENTY = 1_000_000_000;

    private final AtomicLong lastSeed = new AtomicLong();
    private final Path home;
    private final Path logs;
    private final Stack stack;
    private final int providerPort = FreePort.find();
    private final ServiceProcess provider;
    private final StoreService stock;
    private final StoreService other;

    /** Starts all of it; blocks until it is ready. */
    OrderForms(Path home, String form, String bench)
            throws IOException, InterruptedException, ServiceFailure, SQLException {
        this.home = home;
        this.logs = Files.createDirectories(home.resolve("target").resolve(bench));
        System.err.println("starting the servers");
        this.stack = Stack.start(
                StackConfig.defaults().withStandbys(0).withKafka(true).withStartTimeout(Duration.ofMinutes(3)),
                StackProgress.silent());
        this.provider = startProvider();
        this.stock = start("stock", properties());
        this.other = start(form, other(form));
        execute("update products set stock = " + PLENTY);
        execute("vacuum analyze products");
    }

    StoreService stock() {
        return stock;
    }

    StoreService other() {
        return other;
    }

    /** Both, the first of the even rounds first. */
    List<StoreService> inTurn(int round) {
        return round % 2 == 0 ? List.of(stock, other) : List.of(other, stock);
    }

    /**
     * Load of its own: with a seed that was used before, the same keys would come again, and be answered without an order. Says why
     * requests failed.
     */
    Measurement run(StoreService store, Path requests, Load load, int connections)
            throws IOException, InterruptedException {
        Measurement measured = store.run(requests, load, connections, lastSeed.incrementAndGet());
        if (measured.failed() > 0) {
            System.err.println(store.label() + ": " + measured.failures() + " " + measured.failureReasons() + " "
                    + measured.statuses());
        }
        return measured;
    }

    /**
     * Closed loops on both in turn until neither answers more than before for some rounds: until then the JIT compilers take more
     * of the machine than the orders do. Blocks for up to {@link #WARM_ROUNDS} rounds.
     *
     * @return the orders a second that each answered in the last round
     */
    Map<StoreService, Double> warmUp(Path requests, int clients) throws IOException, InterruptedException {
        Map<StoreService, Double> last = new LinkedHashMap<>();
        Map<StoreService, Double> highest = new LinkedHashMap<>();
        int flat = 0;
        for (int round = 0; round < WARM_ROUNDS && flat < FLAT_ROUNDS; round++) {
            flat++;
            for (StoreService store : inTurn(round)) {
                double rate =
                        run(store, requests, Load.closed(WARM_WINDOW), clients).completedPerSecond();
                System.err.printf(Locale.ROOT, "warming %s, round %d: %.0f orders/s%n", store.label(), round + 1, rate);
                if (rate > RISING * highest.getOrDefault(store, 0.0)) {
                    flat = 0;
                }
                highest.merge(store, rate, Math::max);
                last.put(store, rate);
            }
        }
        return last;
    }

    private StoreService start(String label, Map<String, String> properties)
            throws IOException, InterruptedException, ServiceFailure {
        System.err.println("starting the store, " + label);
        return StoreService.start(label, home, logs, properties);
    }

    private Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("spring.datasource.url", stack.postgres().jdbcUrl());
        properties.put("spring.datasource.username", stack.postgres().user());
        properties.put("spring.datasource.password", stack.postgres().password());
        properties.put("spring.kafka.bootstrap-servers", stack.kafka().bootstrap());
        properties.put("store.payments.url", "http://127.0.0.1:" + providerPort);
        properties.put("store.messages.url", "http://127.0.0.1:" + providerPort);
        return properties;
    }

    private Map<String, String> other(String form) {
        Map<String, String> properties = properties();
        switch (form) {
            case "tuned" -> {
                properties.put("spring.profiles.active", "tuned");
                properties.put("weir.route.enabled", "false");
                properties.put("weir.cache.url", stack.redis().url());
            }
            case "orders" ->
                List.of("reserved", "totals", "audit", "events").forEach(technique -> turnOn(technique, properties));
            default -> turnOn(form, properties);
        }
        return properties;
    }

    private static void turnOn(String technique, Map<String, String> properties) {
        switch (technique) {
            case "reserved" -> properties.put("store.orders.stock", "reserved");
            case "totals" -> properties.put("store.orders.totals", "deferred");
            case "audit" -> {
                properties.put("store.orders.audit", "best-effort");
                properties.put("weir.defer.enabled", "true");
                properties.put("weir.defer.best-effort.running", "2");
            }
            case "events" -> {
                properties.put("store.orders.events", "deferred");
                properties.put("weir.outbox.enabled", "true");
            }
            case "threads" -> properties.put("weir.threads.enabled", "true");
            default -> throw new IllegalArgumentException("There is no form " + technique + ".");
        }
    }

    private ServiceProcess startProvider() throws IOException, InterruptedException, ServiceFailure {
        return ServiceProcess.start(new ServiceStart(
                "the payment provider",
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        StoreService.classPath(home),
                        "dev.weir.store.provider.ProviderMain",
                        "--port=" + providerPort,
                        "--payments.latency-millis=" + PAYMENT.toMillis()),
                Map.of(),
                logs,
                URI.create("tcp://127.0.0.1:" + providerPort),
                READY_WITHIN,
                logs.resolve("provider.log")));
    }

    /** What the load has left behind once all is settled. */
    record Books(long paidOrders, long paidCents, long totalOrders, long totalCents, long soldItems, long paidItems) {

        /** Whether the totals are those of the paid orders, and the stock went to them alone. */
        boolean right() {
            return totalOrders == paidOrders && totalCents == paidCents && soldItems == paidItems;
        }
    }

    /** Waits until nothing is under way, and adds up. */
    Books books() throws SQLException {
        long endNanos = System.nanoTime() + SETTLED_WITHIN.toNanos();
        while (count("select (select count(*) from orders where reserved_until is not null)"
                                + " + (select count(*) from totals_outbox)")
                        > 0
                && System.nanoTime() - endNanos < 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        }
        return new Books(
                count("select count(*) from orders where status = 'PAID'"),
                count("select coalesce(sum(total_cents), 0) from orders where status = 'PAID'"),
                count("select coalesce(sum(orders), 0) from daily_totals"),
                count("select coalesce(sum(total_cents), 0) from daily_totals"),
                count("select coalesce(sum(" + PLENTY + " - stock), 0) from products"),
                count("select coalesce(sum(i.quantity), 0) from order_items i join orders o on o.id = i.order_id"
                        + " where o.status = 'PAID'"));
    }

    private long count(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            return row.next() ? row.getLong(1) : 0;
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(
                stack.postgres().jdbcUrl(),
                stack.postgres().user(),
                stack.postgres().password());
    }

    @Override
    public void close() {
        other.close();
        stock.close();
        provider.close();
        stack.close();
    }
}
