package dev.weir.bench.shed;

import com.netflix.concurrency.limits.Limit;
import com.netflix.concurrency.limits.limit.Gradient2Limit;
import com.netflix.concurrency.limits.limit.VegasLimit;
import com.netflix.concurrency.limits.limit.WindowedLimit;
import dev.weir.core.shed.OpenLoop;
import dev.weir.core.shed.OpenLoop.Clients;
import dev.weir.core.shed.OpenLoop.Figures;
import dev.weir.core.shed.OpenLoop.Gate;
import dev.weir.core.shed.OpenLoop.Phase;
import dev.weir.core.shed.OpenLoop.Service;
import dev.weir.core.shed.OpenLoop.Weir;
import dev.weir.core.shed.Priority;
import dev.weir.core.shed.ShedConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntSupplier;

/** Overload in simulated time, for each limiter the same arrivals, and half an hour at 1.3 times the capacity: SEED. */
final class OverloadMain {

    private static final Service SERVICE = new Service(16, 0.020, 1);
    private static final double PATIENCE = 1;
    private static final double[] LOADS = {0.5, 1, 1.4, 2, 5};
    private static final int SETTLED_AFTER = 120;

    /** What stands before the service. */
    private enum Subject {
        NONE("none"),
        FIXED("Weir, fixed at 5,000"),
        GRADIENT2("Netflix Gradient2, partitioned"),
        VEGAS("Netflix Vegas, partitioned"),
        WEIR_AT_ONCE("Weir, adaptive, refusing at once"),
        WEIR("Weir, adaptive, waiting up to 100 ms");

        private final String label;

        Subject(String label) {
            this.label = label;
        }

        Stand stand(OpenLoop loop, long seed) {
            return switch (this) {
                case NONE -> new Stand(new OpenLoop.Open(), () -> 0);
                case FIXED -> weir(new Weir(loop, ShedConfig.fixed(5_000), false, seed));
                case GRADIENT2 -> netflix(loop, Gradient2Limit.newDefault());
                case VEGAS -> netflix(loop, VegasLimit.newDefault());
                case WEIR_AT_ONCE -> weir(new Weir(loop, ShedConfig.defaults(), false, seed));
                case WEIR -> weir(new Weir(loop, ShedConfig.defaults(), true, seed));
            };
        }

        private static Stand weir(Weir weir) {
            return new Stand(weir, weir.admission()::limit);
        }

        private static Stand netflix(OpenLoop loop, Limit limit) {
            Limit windowed = WindowedLimit.newBuilder().build(limit);
            return new Stand(new NetflixGate(loop, windowed), windowed::getLimit);
        }
    }

    private record Stand(Gate gate, IntSupplier limit) {}

    private OverloadMain() {}

    public static void main(String[] args) {
        long seed = Long.parseLong(args[0]);
        System.out.printf(
                Locale.ROOT,
                "At 0.8 of the capacity without a limiter the p99 is %.0f ms.%n%n",
                1e3 * OpenLoop.unlimited(SERVICE, 0.8, 120, seed).latency(0.99));
        System.out.println(
                "| Load | Limiter | Goodput | p99, ms | High refused | Low refused | Refused from 2 s after it |");
        System.out.println("|---:|---|---:|---:|---:|---:|---:|");
        for (double load : LOADS) {
            for (Subject subject : Subject.values()) {
                overload(subject, load, seed);
            }
        }
        System.out.println();
        System.out.println("Half an hour at 1.3 times the capacity, the limit each second after 2 minutes:");
        System.out.println();
        System.out.println("| Limiter | Lowest | Median | Highest | Goodput |");
        System.out.println("|---|---:|---:|---:|---:|");
        for (Subject subject : Subject.values()) {
            if (subject != Subject.NONE) {
                drift(subject, seed);
            }
        }
    }

    private static void overload(Subject subject, double load, long seed) {
        var loop = new OpenLoop(SERVICE, Clients.GIVE_UP, PATIENCE, seed);
        loop.gate(subject.stand(loop, seed).gate());
        loop.run(Phase.of(20, 0.5));
        Figures over = loop.run(new Phase(60, load, 1, 5));
        Figures after = loop.run(new Phase(10, 0.5, 1, 2));
        System.out.printf(
                Locale.ROOT,
                "| %.1f | %s | %.2f | %,.0f | %.2f %% | %.1f %% | %d |%n",
                load,
                subject.label,
                over.goodput(),
                1e3 * over.latency(0.99),
                100 * over.refusedShare(Priority.NORMAL),
                100 * over.refusedShare(Priority.LOW),
                after.refused(Priority.NORMAL) + after.refused(Priority.LOW));
    }

    private static void drift(Subject subject, long seed) {
        var loop = new OpenLoop(SERVICE, Clients.GIVE_UP, PATIENCE, seed);
        Stand stand = subject.stand(loop, seed);
        loop.gate(stand.gate());
        List<Integer> limits = new ArrayList<>();
        loop.everySecond(() -> limits.add(stand.limit().getAsInt()));
        Figures over = loop.run(new Phase(1_800, 1.3, 1, SETTLED_AFTER));
        List<Integer> settled =
                limits.subList(SETTLED_AFTER, limits.size()).stream().sorted().toList();
        System.out.printf(
                Locale.ROOT,
                "| %s | %d | %d | %d | %.2f |%n",
                subject.label,
                settled.getFirst(),
                settled.get(settled.size() / 2),
                settled.getLast(),
                over.goodput());
    }
}
