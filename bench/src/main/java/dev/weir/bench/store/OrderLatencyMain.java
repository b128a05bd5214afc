package dev.weir.bench.store;

import dev.weir.bench.jmh.Goals;
import dev.weir.bench.jmh.Scores;
import dev.weir.lab.measure.LatencySummary;
import dev.weir.lab.measure.Measurement;
import dev.weir.lab.plan.Load;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * How long does an order take at a fixed rate, in two forms? Command: bench/store-orders. Arguments: the repository, the form,
 * rounds of A B B A, seconds a window. Ends with 99 where the totals or the stock do not match the orders afterwards.
 */
final class OrderLatencyMain {

    private static final int CLIENTS = 64;

    /** Enough that the open loop never waits for one. */
    private static final int CONNECTIONS = 256;

    private static final double[] SHARES = {0.5, 0.8, 0.95};
    private static final double GOAL_SHARE = 0.8;
    private static final double GOAL = 4;

    private record Window(double p50Millis, double p99Millis, double maxMillis, double failedShare, double cpuMicros) {}

    private final OrderForms forms;
    private final Path requests;
    private final int rounds;
    private final Duration window;

    private OrderLatencyMain(OrderForms forms, String[] args) {
        this.forms = forms;
        this.requests = Path.of(args[0]).resolve("bench/load/orders.yaml");
        this.rounds = Integer.parseInt(args[2]);
        this.window = Duration.ofSeconds(Long.parseLong(args[3]));
    }

    public static void main(String[] args) throws Exception {
        boolean right;
        try (var forms = new OrderForms(Path.of(args[0]), args[1], "store-orders")) {
            right = new OrderLatencyMain(forms, args).measure();
        }
        Goals.exit(right);
    }

    private boolean measure() throws Exception {
        Map<StoreService, Double> closed = forms.warmUp(requests, CLIENTS);
        System.out.printf(
                Locale.ROOT,
                "Answered in a closed loop of %d clients: stock %,.0f orders/s, %s %,.0f.%n%n",
                CLIENTS,
                closed.getOrDefault(forms.stock(), 0.0),
                forms.other().label(),
                closed.getOrDefault(forms.other(), 0.0));
        System.out.println(
                "| Rate, orders/s | Form | p50 ms | p99 ms | Max ms | Failed | CPU of the store an order, µs |");
        System.out.println("|---|---|---:|---:|---:|---:|---:|");
        double reached = 0;
        for (double share : SHARES) {
            double ratio = at(share, Math.floor(share * closed.getOrDefault(forms.stock(), 0.0)));
            reached = share == GOAL_SHARE ? ratio : reached;
        }
        System.out.printf(
                Locale.ROOT,
                "%np99 of stock over p99 of %s at %.0f %% of stock's closed loop: %.1f. Goal: at least %.0f (%s). Medians of %d"
                        + " windows, lowest to highest.%n%n",
                forms.other().label(),
                100 * GOAL_SHARE,
                reached,
                GOAL,
                Goals.word(reached >= GOAL),
                2 * rounds);
        return BooksLine.print(forms.books());
    }

    /** Answers how many times longer the stock form's 99th percentile is. */
    private double at(double share, double perSecond) throws Exception {
        Map<StoreService, List<Window>> windows = new LinkedHashMap<>();
        for (int round = 0; round < 2 * rounds; round++) {
            for (StoreService store : forms.inTurn(round)) {
                System.err.printf(
                        Locale.ROOT, "%.0f/s, window %d of %d, %s%n", perSecond, round + 1, 2 * rounds, store.label());
                windows.computeIfAbsent(store, unseen -> new ArrayList<>()).add(window(store, perSecond, 10L + round));
            }
        }
        windows.forEach((store, measured) -> print(share, perSecond, store, measured));
        return median(windows, forms.stock()) / median(windows, forms.other());
    }

    private Window window(StoreService store, double perSecond, long seed) throws Exception {
        Duration before = store.cpuTime();
        Measurement measured = forms.run(store, requests, Load.poisson(perSecond, window, seed), CONNECTIONS);
        Duration spent = store.cpuTime().minus(before);
        LatencySummary latency = LatencySummary.of(measured.fromIntended());
        return new Window(
                latency.p50Millis(),
                latency.p99Millis(),
                latency.maxMillis(),
                measured.errorShare(),
                spent.toNanos() / 1e3 / Math.max(1, measured.completed()));
    }

    private static void print(double share, double perSecond, StoreService store, List<Window> windows) {
        System.out.printf(
                Locale.ROOT,
                "| %.0f (%.0f %%) | %s | %s | %s | %s | %.2f %% | %s |%n",
                perSecond,
                100 * share,
                store.label(),
                figures(windows, Window::p50Millis),
                figures(windows, Window::p99Millis),
                figures(windows, Window::maxMillis),
                100 * windows.stream().mapToDouble(Window::failedShare).max().orElse(0),
                figures(windows, Window::cpuMicros));
    }

    private static double median(Map<StoreService, List<Window>> windows, StoreService store) {
        return scores(windows.getOrDefault(store, List.of()), Window::p99Millis).median();
    }

    private static String figures(List<Window> windows, ToDoubleFunction<Window> figure) {
        return scores(windows, figure).figures(0);
    }

    private static Scores scores(List<Window> windows, ToDoubleFunction<Window> figure) {
        return new Scores(windows.stream().map(figure::applyAsDouble).toList());
    }
}
