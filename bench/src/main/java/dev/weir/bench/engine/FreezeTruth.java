package dev.weir.bench.engine;

import dev.weir.lab.engine.EngineConfig;
import dev.weir.lab.engine.LoadEngine;
import dev.weir.lab.measure.LatencySummary;
import dev.weir.lab.measure.Measurement;
import dev.weir.lab.plan.Load;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;

/**
 * Do percentiles from intended times tell the truth about a service that freezes 1 s in every 10 at 100 requests/s?
 * {@code FreezeTruth [seconds]}; prints Markdown; exit code 1 where p99 or p99.9 is off by more than 5 %.
 *
 * <p>Calculated: a request intended u seconds before the end of a freeze waits u. Of the 1,000 of each period, 100 fall
 * into the freeze and wait 1.00, 0.99, ... 0.01 s; the others wait about nothing. So p99 is 0.90 s and p99.9 is 0.99 s.
 * Where the freezes start is moved against the schedule by less than one gap, so each figure is good to 10 ms.
 */
public final class FreezeTruth {
    private static final double RATE = 100;
    private static final int PERIOD_SECONDS = 10;
    private static final double BOUND = 0.05;

    private FreezeTruth() {}

    /** Runs it. */
    public static void main(String[] args) throws IOException, InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 60;
        if (seconds % PERIOD_SECONDS != 0) {
            throw new IllegalArgumentException("seconds is " + seconds + "; give a multiple of " + PERIOD_SECONDS);
        }
        Measurement run = measure(Duration.ofSeconds(seconds));
        double[] calculated = calculated();
        LatencySummary intended = LatencySummary.of(run.fromIntended());
        LatencySummary sent = LatencySummary.of(run.fromSent());
        System.out.printf(
                "%d s at %.0f requests/s, frozen 1 s in every %d s, 4 connections: %d offered, %d completed, failed %s,"
                        + " %d sent late%n%n",
                seconds, RATE, PERIOD_SECONDS, run.offered(), run.completed(), run.failures(), run.late());
        System.out.println("| percentile | calculated ms | from intended ms | error | from sent ms |");
        System.out.println("|---|---:|---:|---:|---:|");
        boolean good = row("p50", 0, intended.p50Millis(), sent.p50Millis(), false);
        good &= row("p90", quantile(calculated, 0.9), intended.p90Millis(), sent.p90Millis(), false);
        good &= row("p95", quantile(calculated, 0.95), intended.p95Millis(), sent.p95Millis(), false);
        good &= row("p99", quantile(calculated, 0.99), intended.p99Millis(), sent.p99Millis(), true);
        good &= row("p99.9", quantile(calculated, 0.999), intended.p999Millis(), sent.p999Millis(), true);
        System.out.printf("%nGoal: p99 and p99.9 within %.0f %%: %s%n", BOUND * 100, good ? "reached" : "missed");
        System.exit(good && run.failed() == 0 ? 0 : 1);
    }

    private static Measurement measure(Duration duration) throws IOException, InterruptedException {
        try (FreezingServer server = FreezingServer.start(Duration.ofSeconds(PERIOD_SECONDS), Duration.ofSeconds(1))) {
            EngineConfig config = EngineConfig.of(server.address(), 4, Requests::fixedGet);
            try (LoadEngine engine = new LoadEngine(config)) {
                engine.run(Load.constant(RATE, Duration.ofSeconds(1)), second -> {});
                server.startPeriods();
                return engine.run(Load.constant(RATE, duration), second -> {});
            }
        }
    }

    /** Latencies of one period in milliseconds, ascending. */
    private static double[] calculated() {
        double[] millis = new double[(int) (RATE * PERIOD_SECONDS)];
        for (int i = 0; i < RATE; i++) {
            millis[i] = (i + 1) * 1_000 / RATE;
        }
        Arrays.sort(millis);
        return millis;
    }

    private static double quantile(double[] ascending, double quantile) {
        return ascending[(int) Math.ceil(quantile * ascending.length) - 1];
    }

    private static boolean row(String name, double calculated, double intended, double sent, boolean bound) {
        double error = calculated == 0 ? 0 : intended / calculated - 1;
        String shown = calculated == 0 ? "" : String.format("%.1f %%", error * 100);
        System.out.printf("| %s | %.1f | %.1f | %s | %.1f |%n", name, calculated, intended, shown, sent);
        return !bound || Math.abs(error) <= BOUND;
    }
}
