package dev.weir.bench.store;

import dev.weir.bench.jmh.Scores;
import dev.weir.bench.store.StoreService.Background;
import dev.weir.bench.store.StoreService.Window;
import dev.weir.lab.compare.ServiceFailure;
import dev.weir.lab.knee.Capacity;
import dev.weir.stack.Stack;
import dev.weir.stack.StackConfig;
import dev.weir.stack.StackProgress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What does a read of the store cost in two forms, and how many can there be? Command: bench/store-reads. Arguments: the
 * repository, the form, its replicas, rounds of A B B A. Two tables: a Zipf mix on servers that share this machine's
 * processors, and single products where each database server is made to be the limit.
 */
final class StoreReadsMain {

    private static final int SERVERS = 1 + StackConfig.MAX_STANDBYS;
    private static final int CONNECTIONS = 10;
    private static final Duration HELD = Duration.ofMillis(50);
    private static final Duration WARM_UP = Duration.ofSeconds(25);
    private static final Duration WINDOW = Duration.ofSeconds(8);
    private static final Duration SEARCH = Duration.ofSeconds(40);
    private static final Duration SLOW_WARM_UP = Duration.ofSeconds(12);
    private static final Duration SLOW_SEARCH = Duration.ofSeconds(24);

    /** The share of stock's closed loop at which both are measured: neither may queue. */
    private static final double SHARE = 0.5;

    /** A fifth of what the primary can do, so that reads alone are left to be spread. */
    private static final double WRITES_PER_SECOND = 0.2 * CONNECTIONS * 1_000 / HELD.toMillis();

    private final Path home;
    private final String form;
    private final int replicas;
    private final int rounds;
    private final Stack stack;
    private final Path logs;

    private StoreReadsMain(String[] args, Stack stack) throws IOException {
        this.home = Path.of(args[0]);
        this.form = args[1];
        this.replicas = Integer.parseInt(args[2]);
        this.rounds = Integer.parseInt(args[3]);
        this.stack = stack;
        this.logs = Files.createDirectories(home.resolve("target/store-reads"));
    }

    public static void main(String[] args) throws Exception {
        StackConfig config = StackConfig.defaults()
                .withStandbys(StackConfig.MAX_STANDBYS)
                .withKafka(args[1].equals("tuned"))
                .withStartTimeout(Duration.ofMinutes(3));
        try (Stack stack = Stack.start(config, StackProgress.silent())) {
            var main = new StoreReadsMain(args, stack);
            main.mix();
            main.databaseBound();
        }
    }

    private void mix() throws Exception {
        try (StoreService stock = start("stock", stock());
                StoreService other = start(form, other())) {
            Path reads = home.resolve("store/load/reads.yaml");
            double closed = warmUp(stock, reads);
            warmUp(other, reads);
            double rate = Math.floor(SHARE * closed);
            List<StoreService> both = List.of(stock, other);
            Map<StoreService, List<Window>> windows = new LinkedHashMap<>();
            Map<StoreService, List<Capacity>> capacities = new LinkedHashMap<>();
            for (int round = 0; round < 2 * rounds; round++) {
                for (StoreService store : inTurn(both, round)) {
                    say("window %d of %d, %s", round + 1, 2 * rounds, store.label());
                    list(windows, store).add(store.window(reads, rate, WINDOW, 1 + round));
                }
            }
            for (int round = 0; round < rounds; round++) {
                for (StoreService store : inTurn(both, round)) {
                    say("capacity %d of %d, %s", round + 1, rounds, store.label());
                    list(capacities, store).add(store.capacity(reads, SEARCH, 1 + round));
                }
            }
            printMix(both, windows, capacities, rate);
        }
    }

    private void databaseBound() throws Exception {
        SlowDatabase.slowDown(stack.postgres(), HELD);
        try (StoreService stock = start("stock-slow", stock());
                StoreService routed = start("route-slow", sharing(routed(SERVERS - 1)))) {
            List<StoreService> both = List.of(stock, routed);
            Path reads = home.resolve("bench/load/products.yaml");
            for (StoreService store : both) {
                store.closedLoop(reads, SLOW_WARM_UP, 1);
            }
            Map<StoreService, List<Capacity>> alone = new LinkedHashMap<>();
            Map<StoreService, List<Capacity>> besideWrites = new LinkedHashMap<>();
            for (int round = 0; round < rounds; round++) {
                for (StoreService store : inTurn(both, round)) {
                    say("slow database %d of %d, %s", round + 1, rounds, store.label());
                    list(alone, store).add(store.capacity(reads, SLOW_SEARCH, 1 + round));
                    Background writes = writes(store);
                    try {
                        list(besideWrites, store).add(store.capacity(reads, SLOW_SEARCH, 1 + round));
                    } finally {
                        writes.end();
                    }
                }
            }
            printDatabaseBound(both, alone, besideWrites);
        }
    }

    private Background writes(StoreService store) throws IOException {
        return store.background(
                home.resolve("bench/load/price-changes.yaml"), WRITES_PER_SECOND, SLOW_SEARCH.multipliedBy(5));
    }

    private static double warmUp(StoreService store, Path reads) throws IOException, InterruptedException {
        say("warming %s", store.label());
        store.closedLoop(reads, WARM_UP, 1);
        return store.closedLoop(reads, Duration.ofSeconds(5), 2);
    }

    private StoreService start(String label, Map<String, String> properties)
            throws IOException, InterruptedException, ServiceFailure {
        say("starting %s", label);
        return StoreService.start(label, home, logs, properties);
    }

    private Map<String, String> stock() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("spring.datasource.url", stack.postgres().jdbcUrl());
        properties.put("spring.datasource.username", stack.postgres().user());
        properties.put("spring.datasource.password", stack.postgres().password());
        return properties;
    }

    private Map<String, String> other() {
        Map<String, String> properties = form.equals("route") ? routed(replicas) : stock();
        properties.put("weir.cache.url", stack.redis().url());
        if (form.equals("tuned")) {
            properties.put("spring.profiles.active", "tuned");
            properties.put("spring.kafka.bootstrap-servers", stack.kafka().bootstrap());
            properties.put("weir.route.enabled", Boolean.toString(replicas > 0));
            addReplicas(properties, replicas);
        } else {
            properties.put("weir." + form + ".enabled", "true");
        }
        return properties;
    }

    private Map<String, String> routed(int count) {
        Map<String, String> properties = stock();
        properties.put("weir.route.enabled", "true");
        addReplicas(properties, count);
        return properties;
    }

    /** The primary takes reads as each replica does. */
    private static Map<String, String> sharing(Map<String, String> properties) {
        properties.put("weir.route.primary-weight", "1");
        return properties;
    }

    private void addReplicas(Map<String, String> properties, int count) {
        List<String> urls = stack.postgres().standbyJdbcUrls();
        for (int i = 0; i < count; i++) {
            properties.put("weir.route.replicas.replica-" + (i + 1) + ".url", urls.get(i));
        }
    }

    private void printMix(
            List<StoreService> both,
            Map<StoreService, List<Window>> windows,
            Map<StoreService, List<Capacity>> capacities,
            double rate) {
        System.out.printf(Locale.ROOT, "## The mix: stock against %s%n%n", form);
        System.out.printf(
                Locale.ROOT,
                "| Form | CPU of the store a request at %,.0f/s, µs | p50 ms | p99 ms | Failed | Capacity at p99 < 200 ms, requests/s |%n",
                rate);
        System.out.println("|---|---:|---:|---:|---:|---:|");
        for (StoreService store : both) {
            List<Window> w = list(windows, store);
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %s | %s | %s | %.2f %% | %s |%n",
                    store.label(),
                    figures(w, Window::cpuMicros, 1),
                    figures(w, Window::p50Millis, 2),
                    figures(w, Window::p99Millis, 1),
                    100 * w.stream().mapToDouble(Window::failedShare).max().orElse(0),
                    figures(list(capacities, store), Capacity::midPerSecond, 0));
        }
        StoreService stock = both.getFirst();
        StoreService other = both.getLast();
        System.out.printf(
                Locale.ROOT,
                "%n%s of stock: %.2f x the CPU a request, %.2f x the capacity. Ratios of medians; a capacity is the middle of"
                        + " its interval.%n%n",
                form,
                ratio(list(windows, other), list(windows, stock), Window::cpuMicros),
                ratio(list(capacities, other), list(capacities, stock), Capacity::midPerSecond));
    }

    private void printDatabaseBound(
            List<StoreService> both,
            Map<StoreService, List<Capacity>> alone,
            Map<StoreService, List<Capacity>> besideWrites) {
        System.out.printf(
                Locale.ROOT,
                """
                ## Where the database is the limit: stock against route with %d replicas

                All servers share these processors, so their CPU cannot be the limit of one. Instead every statement on a
                product sleeps for %d ms in the database while it holds its connection, and each server has a pool of %d: a
                server does at most %,.0f statements a second, %d servers %,.0f. Single products by Zipf, no cache in either
                form. This shows that routing spreads what connections can do over the servers and what it leaves unused. It
                does not show what a server's processor, disk or memory would carry, nor the cost of replay.

                | Load | Stock: the primary, reads/s | Route: primary and %d replicas, reads/s | Ratio |
                |---|---:|---:|---:|
                """,
                SERVERS - 1,
                HELD.toMillis(),
                CONNECTIONS,
                CONNECTIONS * 1_000.0 / HELD.toMillis(),
                SERVERS,
                SERVERS * CONNECTIONS * 1_000.0 / HELD.toMillis(),
                SERVERS - 1);
        printRow("reads alone", both, alone);
        printRow(
                String.format(Locale.ROOT, "reads beside %.0f writes/s, a fifth of the primary", WRITES_PER_SECOND),
                both,
                besideWrites);
        System.out.printf(
                Locale.ROOT,
                "%nCapacity at p99 < 200 ms, median of %d, lowest to highest. Goal: 5 x with 4 replicas. The primary takes"
                        + " its share of the reads (weir.route.primary-weight=1); without it reads alone could reach %d x.%n",
                rounds,
                SERVERS - 1);
    }

    private static void printRow(String load, List<StoreService> both, Map<StoreService, List<Capacity>> capacities) {
        List<Capacity> stock = list(capacities, both.getFirst());
        List<Capacity> routed = list(capacities, both.getLast());
        System.out.printf(
                Locale.ROOT,
                "| %s | %s | %s | %.2f |%n",
                load,
                figures(stock, Capacity::midPerSecond, 0),
                figures(routed, Capacity::midPerSecond, 0),
                ratio(routed, stock, Capacity::midPerSecond));
    }

    private static <T> double ratio(List<T> over, List<T> under, ToDoubleFunction<T> figure) {
        return scores(over, figure).median() / scores(under, figure).median();
    }

    private static <T> String figures(List<T> measured, ToDoubleFunction<T> figure, int digits) {
        return scores(measured, figure).figures(digits);
    }

    private static <T> Scores scores(List<T> measured, ToDoubleFunction<T> figure) {
        return new Scores(measured.stream().map(figure::applyAsDouble).toList());
    }

    private static <T> List<T> list(Map<StoreService, List<T>> lists, StoreService store) {
        return lists.computeIfAbsent(store, unseen -> new ArrayList<>());
    }

    private static List<StoreService> inTurn(List<StoreService> both, int round) {
        return round % 2 == 0 ? both : both.reversed();
    }

    private static void say(String what, Object... arguments) {
        System.err.printf(Locale.ROOT, what + "%n", arguments);
    }
}
