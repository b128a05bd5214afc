package dev.weir.lab.check;

import dev.weir.lab.engine.Tls;
import dev.weir.lab.knee.Slo;
import dev.weir.lab.plan.RequestPlan;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link Check} is to do. Checked when made.
 *
 * @param plan what is sent
 * @param address where the service is, resolved
 * @param tls how connections are secured; null for plain ones
 * @param keepAlive whether connections are used again
 * @param pids the service's processes, to be watched; empty to find them by the port
 * @param slo what a step must hold; null for the usual bounds, see docs/guide/check.md
 * @param startPerSecond the first rate; 0 to take it from the warm-up
 * @param maxPerSecond the highest rate
 * @param precision half of the interval's width relative to its middle, 0.01 to 0.5
 * @param budget time for all steps of the search, 12 s or more
 * @param warmUp the longest warm-up; 0 for none beyond the first look
 * @param connections the most connections kept open; fewer are used where fewer do
 * @param threads engine threads
 * @param timeout for one answer
 * @param seed of arrivals and values
 */
public record CheckConfig(
        RequestPlan plan,
        InetSocketAddress address,
        @Nullable Tls tls,
        boolean keepAlive,
        List<Long> pids,
        @Nullable Slo slo,
        double startPerSecond,
        double maxPerSecond,
        double precision,
        Duration budget,
        Duration warmUp,
        int connections,
        int threads,
        Duration timeout,
        long seed) {

    public static final Duration DEFAULT_BUDGET = Duration.ofSeconds(90);
    public static final Duration DEFAULT_WARM_UP = Duration.ofSeconds(25);
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);
    public static final double DEFAULT_PRECISION = 0.05;
    public static final double DEFAULT_MAX_PER_SECOND = 1e6;
    public static final int DEFAULT_CONNECTIONS = 1_000;
    private static final Duration SHORTEST_BUDGET = Duration.ofSeconds(16);

    public CheckConfig {
        pids = List.copyOf(pids);
        require(startPerSecond >= 0, "start rate is " + startPerSecond + " requests/s; it must be above 0");
        require(
                maxPerSecond > 0 && maxPerSecond >= startPerSecond,
                "highest rate is " + maxPerSecond + " requests/s; it must be above 0 and at least the start rate");
        require(
                precision >= 0.01 && precision <= 0.5,
                "precision is " + 100 * precision + " %; it must be 1 % to 50 %");
        require(
                budget.compareTo(SHORTEST_BUDGET) >= 0,
                "time budget is " + budget.toSeconds() + " s; it must be " + SHORTEST_BUDGET.toSeconds()
                        + " s or more");
        require(!warmUp.isNegative(), "warm-up is " + warmUp + "; it must be 0 or above");
        require(
                threads >= 1 && connections >= threads,
                "connections are " + connections + " with " + threads + " threads; each thread needs one");
        require(timeout.isPositive(), "time-out is " + timeout + "; it must be above 0");
    }

    /** A plain service with usual bounds: everything but the requests and the address by default. */
    public static CheckConfig of(RequestPlan plan, InetSocketAddress address, long seed) {
        return new CheckConfig(
                plan,
                address,
                null,
                true,
                List.of(),
                null,
                0,
                DEFAULT_MAX_PER_SECOND,
                DEFAULT_PRECISION,
                DEFAULT_BUDGET,
                DEFAULT_WARM_UP,
                DEFAULT_CONNECTIONS,
                defaultThreads(),
                DEFAULT_TIMEOUT,
                seed);
    }

    /** The same with other bounds on time. */
    public CheckConfig within(Duration search, Duration longestWarmUp, Duration answer) {
        return new CheckConfig(
                plan,
                address,
                tls,
                keepAlive,
                pids,
                slo,
                startPerSecond,
                maxPerSecond,
                precision,
                search,
                longestWarmUp,
                connections,
                threads,
                answer,
                seed);
    }

    /** The same at another address. */
    public CheckConfig at(InetSocketAddress other) {
        return new CheckConfig(
                plan,
                other,
                tls,
                keepAlive,
                pids,
                slo,
                startPerSecond,
                maxPerSecond,
                precision,
                budget,
                warmUp,
                connections,
                threads,
                timeout,
                seed);
    }

    /** Engine threads where nothing is said: half the processors, 1 to 4. */
    public static int defaultThreads() {
        return Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, 4);
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
