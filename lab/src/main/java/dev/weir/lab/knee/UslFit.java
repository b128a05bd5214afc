package dev.weir.lab.knee;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fits the Universal Scalability Law to steps, with the bounds the law's meaning sets: contention of 0 to 1, coherency
 * and throughput of 0 or more. An unbounded fit gives negative coherency on noisy data and then no peak.
 *
 * <p>The law is linear in its inverse: {@code N / X = (1 + sigma (N - 1) + kappa N (N - 1)) / lambda}, so for each pair
 * of sigma and kappa the best lambda is known in closed form, and only two bounded parameters are left. They are found by
 * a grid that is narrowed around its best point; the error is convex enough there for that to be exact to five digits,
 * and no start value can lead it astray.
 */
public final class UslFit {
    private static final int LEAST_POINTS = 4;
    /** The largest load must be this many times the smallest, else the curve's bend cannot be seen. */
    private static final double LEAST_SPREAD = 2;

    private static final int GRID = 24;
    private static final int ROUNDS = 40;
    private static final double NARROWING = 0.6;

    /** Requests in flight, and the rate completed with so many. */
    public record Point(double inFlight, double perSecond) {}

    private UslFit() {}

    /**
     * The law's parameters by least squares; null with fewer than four different loads, or where they lie too near to
     * each other.
     */
    public static @Nullable Usl of(List<Point> points) {
        List<Point> usable = points.stream()
                .filter(point -> point.inFlight > 0 && point.perSecond > 0)
                .toList();
        double smallest = usable.stream().mapToDouble(Point::inFlight).min().orElse(0);
        double largest = usable.stream().mapToDouble(Point::inFlight).max().orElse(0);
        long different = usable.stream()
                .mapToDouble(point -> Math.rint(100 * Math.log(point.inFlight)))
                .distinct()
                .count();
        if (different < LEAST_POINTS || largest < LEAST_SPREAD * smallest) {
            return null;
        }
        return fit(usable, largest);
    }

    private static Usl fit(List<Point> points, double largest) {
        double kappaScale = 1 / largest;
        double sigmaLow = 0;
        double sigmaHigh = 1;
        double kappaLow = 0;
        double kappaHigh = kappaScale;
        double bestSigma = 0;
        double bestKappa = 0;
        double least = Double.POSITIVE_INFINITY;
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i <= GRID; i++) {
                for (int j = 0; j <= GRID; j++) {
                    double sigma = sigmaLow + (sigmaHigh - sigmaLow) * i / GRID;
                    double kappa = kappaLow + (kappaHigh - kappaLow) * j / GRID;
                    double error = error(points, lambda(points, sigma, kappa), sigma, kappa);
                    if (error < least) {
                        least = error;
                        bestSigma = sigma;
                        bestKappa = kappa;
                    }
                }
            }
            double sigmaReach = (sigmaHigh - sigmaLow) * NARROWING / 2;
            double kappaReach = (kappaHigh - kappaLow) * NARROWING / 2;
            sigmaLow = Math.max(0, bestSigma - sigmaReach);
            sigmaHigh = Math.min(1, bestSigma + sigmaReach);
            kappaLow = Math.max(0, bestKappa - kappaReach);
            kappaHigh = bestKappa + kappaReach;
        }
        double lambda = lambda(points, bestSigma, bestKappa);
        double mean = points.stream().mapToDouble(Point::perSecond).average().orElseThrow();
        return new Usl(
                lambda,
                bestSigma,
                bestKappa,
                bestKappa == 0 ? Double.POSITIVE_INFINITY : Math.sqrt((1 - bestSigma) / bestKappa),
                Math.sqrt(least / points.size()) / mean);
    }

    /** The least-squares lambda for a sigma and a kappa: X is lambda times the relative capacity. */
    private static double lambda(List<Point> points, double sigma, double kappa) {
        double products = 0;
        double squares = 0;
        for (Point point : points) {
            double capacity = relativeCapacity(point.inFlight, sigma, kappa);
            products += capacity * point.perSecond;
            squares += capacity * capacity;
        }
        return products / squares;
    }

    private static double error(List<Point> points, double lambda, double sigma, double kappa) {
        double sum = 0;
        for (Point point : points) {
            double miss = point.perSecond - lambda * relativeCapacity(point.inFlight, sigma, kappa);
            sum += miss * miss;
        }
        return sum;
    }

    private static double relativeCapacity(double inFlight, double sigma, double kappa) {
        // Below one in flight the law's terms turn negative; there a service scales linearly.
        double others = Math.max(0, inFlight - 1);
        return inFlight / (1 + sigma * others + kappa * inFlight * others);
    }
}
