package dev.weir.bench.store;

import dev.weir.bench.store.GatewayClient.Answer;
import dev.weir.bench.store.GatewayCosts.Counters;
import dev.weir.stack.Stack;
import dev.weir.stack.StackConfig;
import dev.weir.stack.StackProgress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Is what the gateway says true? More messages are handed in than the provider takes, by ten clients; each answer's estimate is kept
 * and compared with the moment the provider took that message. Then another client hands in ten, behind all that wait. Command:
 * bench/gateway-honesty. Arguments: the repository, messages a second, seconds. Ends with 99 where something accepted was lost or out
 * of order.
 */
final class GatewayMain {

    private static final int PROVIDER_PER_SECOND = 2_000;
    private static final long PROVIDER_LATENCY_MILLIS = 50;
    private static final int CLIENTS = 10;
    private static final int CONNECTIONS = 160;
    /** Long enough that what is measured then runs compiled, and below what the provider takes, so that nothing is left waiting. */
    private static final int WARM_UP_SECONDS = 45;

    private static final int WARM_UP_PER_SECOND = 1_200;
    private static final Duration DRAIN_MEASURED = Duration.ofSeconds(10);
    private static final int PROMISE_BROKEN = 99;
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final String FILL =
            " Your parcel arrives today between 14:00 and 16:00, please have your code ready.";

    /** What one answer promised; {@code answeredNanos} by {@link System#nanoTime}. */
    private record Promise(String id, long answeredNanos, double waitSeconds) {}

    /** What a run of the load brought. */
    private static final class Load {

        final ConcurrentLinkedQueue<Promise> promises = new ConcurrentLinkedQueue<>();
        final LongAdder tooLong = new LongAdder();
        final LongAdder overloaded = new LongAdder();
        final LongAdder other = new LongAdder();
        final LongAdder late = new LongAdder();
        long startNanos;
        long endNanos;

        double seconds() {
            return (double) (endNanos - startNanos) / SECOND_NANOS;
        }

        void take(Answer answer) {
            switch (answer.status()) {
                case 202 ->
                    promises.add(new Promise(
                            answer.member("id"),
                            System.nanoTime(),
                            Double.parseDouble(answer.member("waitMillis")) / 1_000));
                case 429 -> tooLong.increment();
                case 503 -> overloaded.increment();
                default -> other.increment();
            }
        }
    }

    private final StoreService store;
    private final GatewayTruth truth;
    private final AtomicInteger numbers = new AtomicInteger();

    private GatewayMain(StoreService store, GatewayTruth truth) {
        this.store = store;
        this.truth = truth;
    }

    public static void main(String[] args) throws Exception {
        Path home = Path.of(args[0]);
        int perSecond = Integer.parseInt(args[1]);
        int seconds = Integer.parseInt(args[2]);
        StackConfig config = StackConfig.defaults()
                .withStandbys(0)
                .withRedis(false)
                .withKafka(true)
                .withStartTimeout(Duration.ofMinutes(3));
        boolean kept;
        try (Stack stack = Stack.start(config, StackProgress.silent());
                GatewayTruth truth = GatewayTruth.start(PROVIDER_PER_SECOND, PROVIDER_LATENCY_MILLIS);
                StoreService store = StoreService.start(
                        "gateway",
                        home,
                        Files.createDirectories(home.resolve("target/gateway-honesty")),
                        properties(stack, truth))) {
            kept = new GatewayMain(store, truth).measure(perSecond, seconds);
        }
        System.exit(kept ? 0 : PROMISE_BROKEN);
    }

    private static Map<String, String> properties(Stack stack, GatewayTruth truth) {
        return Map.of(
                "spring.datasource.url", stack.postgres().jdbcUrl(),
                "spring.datasource.username", stack.postgres().user(),
                "spring.datasource.password", stack.postgres().password(),
                "spring.threads.virtual.enabled", "true",
                "store.seed.products", "10",
                "store.messages.url", truth.url(),
                "store.gateway.enabled", "true",
                "store.gateway.kafka.bootstrap.servers", stack.kafka().bootstrap(),
                "store.gateway.provider-per-second", Integer.toString(PROVIDER_PER_SECOND));
    }

    private boolean measure(int perSecond, int seconds) throws Exception {
        System.err.println("warming up");
        Load warmUp = load(WARM_UP_PER_SECOND, WARM_UP_SECONDS);
        awaitSent(warmUp.promises.size(), Duration.ofMinutes(1));
        int before = truth.taken();
        long refusedBefore = truth.refused();

        System.err.println("loading");
        Counters atStart = Counters.now(store, truth);
        Load load = load(perSecond, seconds);
        Counters atEnd = Counters.now(store, truth);
        Load ten = ten();
        int accepted = load.promises.size() + ten.promises.size();
        System.err.printf("accepted %d, waiting for them to be sent%n", accepted);
        Counters sending = Counters.now(store, truth);
        awaitSent(before + accepted, DRAIN_MEASURED);
        Counters sentSome = Counters.now(store, truth);
        awaitSent(before + accepted, Duration.ofMinutes(5));
        long lastNanos = truth.firstNanos().values().stream()
                .mapToLong(Long::longValue)
                .max()
                .orElseThrow();

        Map<String, Long> sent = truth.firstNanos();
        int lost = warmUp.promises.size() + accepted - truth.taken();
        print(perSecond, load, lastNanos, sent, truth.refused() - refusedBefore);
        GatewayCosts.print(atStart, atEnd, sending, sentSome);
        printTen(ten, load, sent);
        System.out.printf(
                Locale.ROOT,
                "%nLost: %d of %,d accepted. Sent twice: %d. Out of order: %d of %,d recipients' messages.%n",
                lost,
                warmUp.promises.size() + accepted,
                truth.repeated(),
                truth.outOfOrder(),
                truth.taken());
        return lost == 0 && truth.outOfOrder() == 0;
    }

    /** An open loop: each connection has its own times to send at, and is late where its answer before was. */
    private Load load(int perSecond, int seconds) throws InterruptedException {
        var load = new Load();
        load.startNanos = System.nanoTime();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            int number = i;
            threads.add(Thread.ofVirtual().start(() -> connection(load, number, perSecond, seconds)));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        load.endNanos = System.nanoTime();
        return load;
    }

    private void connection(Load load, int number, int perSecond, int seconds) {
        long stepNanos = SECOND_NANOS * CONNECTIONS / perSecond;
        long endNanos = load.startNanos + seconds * SECOND_NANOS;
        String client = "client-" + number % CLIENTS;
        try (var connection = new GatewayClient(store.port())) {
            long dueNanos = load.startNanos + stepNanos * number / CONNECTIONS;
            for (int i = 0; dueNanos < endNanos && System.nanoTime() < endNanos; i++) {
                long early = dueNanos - System.nanoTime();
                if (early > 0) {
                    TimeUnit.NANOSECONDS.sleep(early);
                } else if (-early > SECOND_NANOS) {
                    load.late.increment();
                }
                // Of one recipient each message is handed in after the answer to the one before.
                load.take(connection.post(client, "r-" + number + "-" + i % 50, numbers.incrementAndGet() + FILL));
                dueNanos += stepNanos;
            }
        } catch (IOException broken) {
            load.other.increment();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    /** Another client's ten, one after the other. */
    private Load ten() throws IOException {
        var ten = new Load();
        try (var connection = new GatewayClient(store.port())) {
            for (int i = 0; i < 10; i++) {
                ten.take(connection.post("small", "small-" + i, numbers.incrementAndGet() + FILL));
            }
        }
        return ten;
    }

    private void awaitSent(int count, Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        while (truth.taken() < count && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(100);
        }
        // What is sent twice comes now or later; later is not waited for.
        TimeUnit.SECONDS.sleep(2);
    }

    private static void print(int perSecond, Load load, long lastNanos, Map<String, Long> sent, long refused) {
        double offered = perSecond * load.seconds();
        double sendSeconds = (double) (lastNanos - load.startNanos) / SECOND_NANOS;
        System.out.printf(
                Locale.ROOT,
                "Offered %,d/s for %.1f s (about %,.0f): accepted %,d (%,.0f/s), refused as too long a wait %,d, overloaded %,d, other %,d;"
                        + " %,d requests more than a second late.%n",
                perSecond,
                load.seconds(),
                offered,
                load.promises.size(),
                load.promises.size() / load.seconds(),
                load.tooLong.sum(),
                load.overloaded.sum(),
                load.other.sum(),
                load.late.sum());
        System.out.printf(
                Locale.ROOT,
                "All sent %.1f s after the start, %,.0f/s; the provider refused %,d calls.%n%n",
                sendSeconds,
                load.promises.size() / sendSeconds,
                refused);
        List<double[]> pairs = load.promises.stream()
                .filter(promise -> sent.containsKey(promise.id))
                .map(promise -> new double[] {promise.waitSeconds, truthSeconds(promise, sent)})
                .toList();
        System.out.println(
                "| Estimate | Messages | Truth, median | Error, median | p95 | p99 | within 1 s or a tenth |");
        System.out.println("|---|---|---|---|---|---|---|");
        row("all", pairs);
        double[] bounds = {0, 1, 5, 10, 20, 40, Double.MAX_VALUE};
        for (int i = 0; i + 1 < bounds.length; i++) {
            double from = bounds[i];
            double to = bounds[i + 1];
            String name =
                    to == Double.MAX_VALUE ? "above %.0f s".formatted(from) : "%.0f to %.0f s".formatted(from, to);
            row(
                    name,
                    pairs.stream()
                            .filter(pair -> pair[0] >= from && pair[0] < to)
                            .toList());
        }
    }

    private static void row(String name, List<double[]> pairs) {
        if (pairs.isEmpty()) {
            return;
        }
        double[] truths = pairs.stream().mapToDouble(pair -> pair[1]).sorted().toArray();
        double[] errors = pairs.stream()
                .mapToDouble(pair -> Math.abs(pair[1] - pair[0]))
                .sorted()
                .toArray();
        long near = pairs.stream()
                .filter(pair -> Math.abs(pair[1] - pair[0]) <= Math.max(1, 0.1 * pair[1]))
                .count();
        System.out.printf(
                Locale.ROOT,
                "| %s | %,d | %.2f s | %.2f s | %.2f s | %.2f s | %.1f %% |%n",
                name,
                pairs.size(),
                quantile(truths, 0.5),
                quantile(errors, 0.5),
                quantile(errors, 0.95),
                quantile(errors, 0.99),
                100.0 * near / pairs.size());
    }

    private static void printTen(Load ten, Load load, Map<String, Long> sent) {
        double[] promised = ten.promises.stream()
                .mapToDouble(promise -> promise.waitSeconds)
                .sorted()
                .toArray();
        double[] truths = ten.promises.stream()
                .filter(promise -> sent.containsKey(promise.id))
                .mapToDouble(promise -> truthSeconds(promise, sent))
                .sorted()
                .toArray();
        double others = load.promises.stream()
                .filter(promise -> sent.containsKey(promise.id))
                .mapToDouble(promise -> truthSeconds(promise, sent))
                .max()
                .orElse(0);
        System.out.printf(
                Locale.ROOT,
                "%nAnother client's %d messages at the end of the load: promised after at most %.2f s, sent after at most %.2f s;"
                        + " the others' longest wait was %.1f s.%n",
                promised.length,
                Arrays.stream(promised).max().orElse(Double.NaN),
                Arrays.stream(truths).max().orElse(Double.NaN),
                others);
    }

    private static double truthSeconds(Promise promise, Map<String, Long> sent) {
        Long at = sent.get(promise.id);
        return at == null ? Double.NaN : (double) (at - promise.answeredNanos) / SECOND_NANOS;
    }

    private static double quantile(double[] sorted, double share) {
        return sorted[(int) Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
    }
}
