package dev.weir.lab.knee;

import java.time.Duration;

/**
 * What a {@link Search} is to find, and what it may spend on it.
 *
 * @param startPerSecond the first rate tried; above 0
 * @param maxPerSecond the highest rate tried; at least {@code startPerSecond}
 * @param precision half of the interval's width relative to its middle, 0.01 to 0.5: 0.05 for plus or minus 5 %
 * @param shortSeconds the shortest step, 2 or more
 * @param longSeconds how long a rate is to be held before it counts as confirmed; at least {@code shortSeconds}
 * @param maxSeconds the longest step; at least {@code longSeconds}
 * @param slo what a step must hold
 * @param baseMillis mean latency at a low rate, from which the requests in flight are expected; above 0
 * @param budget time for all steps together, the draining after them included; at least twice {@code maxSeconds}
 */
public record SearchPlan(
        double startPerSecond,
        double maxPerSecond,
        double precision,
        int shortSeconds,
        int longSeconds,
        int maxSeconds,
        Slo slo,
        double baseMillis,
        Duration budget) {

    public SearchPlan {
        require(
                startPerSecond > 0 && Double.isFinite(startPerSecond),
                "start rate is " + startPerSecond + " requests/s; it must be above 0");
        require(
                maxPerSecond >= startPerSecond,
                "highest rate is " + maxPerSecond + " requests/s; it must be at least the start rate, "
                        + startPerSecond);
        require(
                precision >= 0.01 && precision <= 0.5,
                "precision is " + precision * 100 + " %; it must be 1 % to 50 %");
        require(
                shortSeconds >= 2 && longSeconds >= shortSeconds && maxSeconds >= longSeconds,
                "step lengths are " + shortSeconds + ", " + longSeconds + " and " + maxSeconds
                        + " s; they must ascend from 2 s or more");
        require(baseMillis > 0, "latency at a low rate is " + baseMillis + " ms; it must be above 0");
        require(
                budget.toSeconds() >= 2L * maxSeconds,
                "time budget is " + budget.toSeconds() + " s; it must be at least " + 2 * maxSeconds + " s");
    }

    /**
     * A plan with step lengths that fit the budget: confirmed rates are held for a ninth of it, at least 4 s, and no
     * step takes more than twice that.
     */
    public static SearchPlan within(
            Duration budget, double startPerSecond, double maxPerSecond, double precision, Slo slo, double baseMillis) {
        int longSeconds = Math.clamp(budget.toSeconds() / 9, 4, 30);
        return new SearchPlan(
                startPerSecond,
                maxPerSecond,
                precision,
                Math.clamp(longSeconds / 3, 2, 5),
                longSeconds,
                2 * longSeconds,
                slo,
                baseMillis,
                budget);
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
