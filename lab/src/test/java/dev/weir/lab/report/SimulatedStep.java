package dev.weir.lab.report;

import dev.weir.lab.check.CheckResult.Step;
import dev.weir.lab.collect.ServiceSample;
import dev.weir.lab.measure.GeneratorCost;
import dev.weir.lab.measure.LatencySummary;
import dev.weir.lab.measure.SecondSample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * One step against a service with a fixed number of workers, simulated request by request: Poisson arrivals, one queue
 * in order, a bounded number of connections. What comes out has the shape of a real step: a knee, a queue that grows
 * past it, waiting before the send once the connections are used up.
 */
final class SimulatedStep {

    private static final int CONNECTIONS = 512;
    private static final double SERVICE_CPU_SECONDS = 120e-6;
    private static final double GENERATOR_CPU_SECONDS = 11e-6;
    private static final int CPUS = 8;

    private final int workers;
    private final double offeredPerSecond;
    private final int seconds;
    private final double[] intended;
    private final double[] sent;
    private final double[] completed;

    SimulatedStep(int workers, double serviceSeconds, double offeredPerSecond, int seconds, long seed) {
        this.workers = workers;
        this.offeredPerSecond = offeredPerSecond;
        this.seconds = seconds;
        Random random = new Random(seed);
        List<Double> arrivals = new ArrayList<>();
        for (double at = 0; at < seconds; at += -Math.log(1 - random.nextDouble()) / offeredPerSecond) {
            arrivals.add(at);
        }
        intended = arrivals.stream().mapToDouble(Double::doubleValue).toArray();
        sent = new double[intended.length];
        completed = new double[intended.length];
        for (int i = 0; i < intended.length; i++) {
            sent[i] = Math.max(intended[i] + 20e-6, i < CONNECTIONS ? 0 : completed[i - CONNECTIONS]);
            double free = i < workers ? 0 : completed[i - workers];
            double tail = random.nextDouble() < 0.004 ? random.nextDouble() * 0.03 : 0;
            completed[i] = Math.max(sent[i], free) + serviceSeconds * (1 + 0.012 * random.nextDouble()) + tail;
        }
    }

    Step step(int index, String phase) {
        Histogram fromIntended = histogram(intended, completed);
        double done = IntStream.range(0, completed.length)
                        .filter(i -> completed[i] < seconds + 0.055)
                        .count()
                / (double) seconds;
        double wrote =
                IntStream.range(0, sent.length).filter(i -> sent[i] < seconds).count() / (double) seconds;
        Histogram fromSent = histogram(sent, completed);
        double inFlight = inFlight(0, seconds);
        long unfinished =
                IntStream.range(0, sent.length).filter(i -> sent[i] >= seconds).count();
        List<String> reasons = new ArrayList<>();
        if (done < 0.99 * intended.length / seconds) {
            reasons.add("completed " + Figures.rate(done) + " of " + Figures.rate(offeredPerSecond)
                    + " offered: the queue grew");
        }
        double p99Millis = fromIntended.getValueAtPercentile(99) / 1e6;
        if (p99Millis >= 200) {
            reasons.add("p99 " + Figures.millis(p99Millis) + " is not below 200 ms");
        }
        boolean passed = reasons.isEmpty();
        return new Step(
                index,
                phase,
                offeredPerSecond,
                wrote,
                done,
                Duration.ofSeconds(seconds),
                passed,
                reasons,
                unfinished == 0 ? Map.of() : Map.of("unfinished", unfinished),
                unfinished == 0 ? Map.of() : Map.of("unfinished", "unfinished"),
                inFlight,
                inFlight / (done * fromSent.getMean() / 1e9),
                LatencySummary.of(fromIntended),
                LatencySummary.of(fromSent),
                LatencySummary.of(histogram(intended, sent)),
                IntStream.range(0, seconds).mapToObj(this::second).toList(),
                new GeneratorCost(
                        (long) (wrote * seconds * GENERATOR_CPU_SECONDS * 1e9),
                        wrote * GENERATOR_CPU_SECONDS,
                        12_000_000,
                        done * (SERVICE_CPU_SECONDS + GENERATOR_CPU_SECONDS) / CPUS + 0.01,
                        CPUS),
                service(done, Math.min(workers, inFlight)));
    }

    private static ServiceSample service(double done, double busy) {
        return new ServiceSample(
                Duration.ofSeconds(9),
                done * SERVICE_CPU_SECONDS,
                null,
                0.02,
                0.004,
                0.001,
                231,
                Map.of(
                        "http-nio-8080",
                        new ServiceSample.WorkerPool(
                                busy,
                                200,
                                "Tomcat ThreadPool MBean",
                                "dev.weir.store.message.MockGateway.dummy:41",
                                "server.tomcat.threads.max",
                                List.of())),
                Map.of("HikariPool-1", new ServiceSample.ConnectionPool(0.4, 0, 10, "Hikari MBean")),
                0.0,
                6.0,
                null,
                null,
                null,
                0.3,
                0.02,
                Map.of(),
                List.of(),
                List.of());
    }

    private SecondSample second(int second) {
        List<Double> latencies = IntStream.range(0, intended.length)
                .filter(i -> (int) intended[i] == second)
                .mapToObj(i -> completed[i] - intended[i])
                .sorted()
                .toList();
        return new SecondSample(
                second,
                latencies.size(),
                in(sent, second),
                in(completed, second),
                0,
                inFlight(second, second + 1),
                latencies.isEmpty() ? 0 : (long) (latencies.get(latencies.size() / 2) * 1e9),
                latencies.isEmpty() ? 0 : (long) (latencies.get(latencies.size() * 99 / 100) * 1e9));
    }

    private static long in(double[] times, int second) {
        return IntStream.range(0, times.length)
                .filter(i -> (int) times[i] == second)
                .count();
    }

    private double inFlight(double from, double to) {
        return IntStream.range(0, sent.length)
                        .mapToDouble(i -> Math.max(0, Math.min(completed[i], to) - Math.max(sent[i], from)))
                        .sum()
                / (to - from);
    }

    private static Histogram histogram(double[] from, double[] to) {
        Histogram histogram = new Histogram(3);
        for (int i = 0; i < from.length; i++) {
            histogram.recordValue(Math.round((to[i] - from[i]) * 1e9));
        }
        return histogram;
    }
}
