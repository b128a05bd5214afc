package dev.weir.lab.knee;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rate a service completes while it always has more to do than it can: an estimate of its capacity.
 *
 * @param perSecond mean of the seconds that began and ended with a backlog
 * @param standardError of the mean, from the spread of those seconds
 * @param seconds how many there were
 */
public record Throughput(double perSecond, double standardError, int seconds) {

    /** Completions of a service are never taken as steadier than this share of a Poisson process's spread. */
    private static final double LEAST_SPREAD = 0.8;
    /** Halves that differ by more than this share, beyond chance, show a service that slows down under overload. */
    private static final double UNSTABLE_SHARE = 0.05;

    private static final double UNSTABLE_SIGMAS = 2.5;

    double relativeError() {
        return standardError / perSecond;
    }

    /** The estimate from one step; null where fewer than two seconds were saturated or the rate did not hold. */
    static @Nullable Throughput saturated(List<StepSecond> seconds, double baseMillis) {
        double[] ends = Backlog.ends(seconds);
        List<Double> rates = new ArrayList<>();
        for (int i = 1; i < ends.length; i++) {
            double working = seconds.get(i).succeeded() * baseMillis / 1000;
            double busy = 1 + 1.1 * working + Math.sqrt(working);
            if (ends[i - 1] > busy && ends[i] > busy) {
                rates.add(seconds.get(i).succeeded());
            }
        }
        return rates.size() < 2 || slowsDown(rates) ? null : of(rates);
    }

    /** The estimate from every second but the first, for a service that refuses what it cannot do. */
    static @Nullable Throughput accepted(List<StepSecond> seconds) {
        List<Double> rates = seconds.stream().skip(1).map(StepSecond::succeeded).toList();
        return rates.size() < 2 ? null : of(rates);
    }

    /** All of them together, each weighing by how sure it is. */
    static Throughput pooled(List<Throughput> parts) {
        double weights = parts.stream().mapToDouble(Throughput::weight).sum();
        double mean = parts.stream()
                        .mapToDouble(part -> part.weight() * part.perSecond)
                        .sum()
                / weights;
        int seconds = parts.stream().mapToInt(Throughput::seconds).sum();
        return new Throughput(mean, Math.sqrt(1 / weights), seconds);
    }

    private double weight() {
        return 1 / square(standardError);
    }

    private static boolean slowsDown(List<Double> rates) {
        if (rates.size() < 4) {
            return false;
        }
        int half = rates.size() / 2;
        double first = mean(rates.subList(0, half));
        double second = mean(rates.subList(half, rates.size()));
        double chance = Math.sqrt((first + second) / half);
        return first - second > Math.max(UNSTABLE_SHARE * first, UNSTABLE_SIGMAS * chance);
    }

    private static Throughput of(List<Double> rates) {
        int count = rates.size();
        double mean = mean(rates);
        double squares = rates.stream().mapToDouble(rate -> square(rate - mean)).sum() / Math.max(1, count - 1);
        double least = LEAST_SPREAD * Math.sqrt(Math.max(1, mean)) * (1 + 2.0 / count);
        return new Throughput(mean, Math.max(Math.sqrt(squares), least) / Math.sqrt(count), count);
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    }

    private static double square(double value) {
        return value * value;
    }
}
