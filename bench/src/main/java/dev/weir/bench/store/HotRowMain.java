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
 * What do 100 users get who all order one product, in two forms? Command: bench/hot-row. Arguments: the repository, the form,
 * rounds of A B B A, seconds a window. Ends with 99 where the totals or the stock do not match the orders afterwards.
 */
final class HotRowMain {

    private static final int USERS = 100;
    private static final double GOAL_RATE = 2;
    private static final double GOAL_P95 = 0.25;

    private record Window(double perSecond, double p50Millis, double p95Millis, double maxMillis, double failedShare) {}

    private HotRowMain() {}

    public static void main(String[] args) throws Exception {
        boolean right;
        try (var forms = new OrderForms(Path.of(args[0]), args[1], "hot-row")) {
            Path home = Path.of(args[0]);
            // On all products: on one, the stock form would hardly get to run its code.
            forms.warmUp(home.resolve("bench/load/orders.yaml"), USERS);
            measure(
                    forms,
                    home.resolve("bench/load/hot-product.yaml"),
                    Integer.parseInt(args[2]),
                    Duration.ofSeconds(Long.parseLong(args[3])));
            right = BooksLine.print(forms.books());
        }
        Goals.exit(right);
    }

    private static void measure(OrderForms forms, Path requests, int rounds, Duration time) throws Exception {
        Map<StoreService, List<Window>> windows = new LinkedHashMap<>();
        for (int round = 0; round < 2 * rounds; round++) {
            for (StoreService store : forms.inTurn(round)) {
                System.err.printf(Locale.ROOT, "window %d of %d, %s%n", round + 1, 2 * rounds, store.label());
                Measurement measured = forms.run(store, requests, Load.closed(time), USERS);
                windows.computeIfAbsent(store, unseen -> new ArrayList<>()).add(window(measured));
            }
        }
        System.out.println("| Form | Orders/s | p50 ms | p95 ms | Max ms | Failed |");
        System.out.println("|---|---:|---:|---:|---:|---:|");
        windows.forEach(HotRowMain::print);
        double rate = ratio(windows, forms, Window::perSecond);
        double p95 = ratio(windows, forms, Window::p95Millis);
        System.out.printf(
                Locale.ROOT,
                "%n%s of stock: %.1f x the orders, %.3f x the p95. Goals: at least %.0f x (%s), at most %.2f x (%s). Medians of"
                        + " %d windows, lowest to highest.%n%n",
                forms.other().label(),
                rate,
                p95,
                GOAL_RATE,
                Goals.word(rate >= GOAL_RATE),
                GOAL_P95,
                Goals.word(p95 <= GOAL_P95),
                2 * rounds);
    }

    private static Window window(Measurement measured) {
        LatencySummary latency = LatencySummary.of(measured.fromSent());
        return new Window(
                measured.completedPerSecond(),
                latency.p50Millis(),
                latency.p95Millis(),
                latency.maxMillis(),
                measured.errorShare());
    }

    private static void print(StoreService store, List<Window> windows) {
        System.out.printf(
                Locale.ROOT,
                "| %s | %s | %s | %s | %s | %.2f %% |%n",
                store.label(),
                figures(windows, Window::perSecond),
                figures(windows, Window::p50Millis),
                figures(windows, Window::p95Millis),
                figures(windows, Window::maxMillis),
                100 * windows.stream().mapToDouble(Window::failedShare).max().orElse(0));
    }

    private static double ratio(
            Map<StoreService, List<Window>> windows, OrderForms forms, ToDoubleFunction<Window> figure) {
        return scores(windows.getOrDefault(forms.other(), List.of()), figure).median()
                / scores(windows.getOrDefault(forms.stock(), List.of()), figure).median();
    }

    private static String figures(List<Window> windows, ToDoubleFunction<Window> figure) {
        return scores(windows, figure).figures(0);
    }

    private static Scores scores(List<Window> windows, ToDoubleFunction<Window> figure) {
        return new Scores(windows.stream().map(figure::applyAsDouble).toList());
    }
}
