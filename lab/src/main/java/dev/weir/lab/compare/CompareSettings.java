package dev.weir.lab.compare;

import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a comparison is run.
 *
 * @param figures what is compared; at least one
 * @param rounds times A B B A, after A A for the floor; 1 or more
 * @param time each measurement takes: once in a closed loop for the capacity, once at the fixed rate
 * @param warmUp the longest a run is warmed up
 * @param ratePerSecond the fixed rate; null for a share of A's capacity
 * @param share of the capacity seen in the first run, above 0 and below 1; used where there is no rate
 * @param seed of arrivals and of the bootstrap
 */
public record CompareSettings(
        Set<Figure> figures,
        int rounds,
        Duration time,
        Duration warmUp,
        @Nullable Double ratePerSecond,
        double share,
        long seed) {

    /** The shortest measurement: the first second is dropped, one may be cut, and fewer than the rest say nothing. */
    public static final Duration MIN_TIME = Duration.ofSeconds(Inference.MIN_SECONDS + 2L);

    public CompareSettings {
        figures = Set.copyOf(figures);
        require(!figures.isEmpty(), "there is no figure to compare; name at least one");
        require(rounds >= 1 && rounds <= 50, "rounds is " + rounds + "; it must be 1 to 50");
        require(
                time.compareTo(MIN_TIME) >= 0,
                "time is " + seconds(time) + " s; it must be " + seconds(MIN_TIME) + " s or more: the first second"
                        + " of a run is dropped, and fewer than " + Inference.MIN_SECONDS + " are not enough data");
        require(!warmUp.isNegative() && !warmUp.isZero(), "warm-up is " + seconds(warmUp) + " s; it must be above 0");
        require(
                ratePerSecond == null || (ratePerSecond > 0 && Double.isFinite(ratePerSecond)),
                "rate is " + ratePerSecond + "; it must be above 0");
        require(share > 0 && share < 1, "share is " + share + "; it must be above 0 and below 1");
    }

    /** Whether the closed loop is measured. */
    boolean measuresCapacity() {
        return figures.contains(Figure.CAPACITY);
    }

    /** Whether the fixed rate is run. */
    boolean measuresAtRate() {
        return figures.stream().anyMatch(figure -> figure != Figure.CAPACITY);
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1e3;
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
