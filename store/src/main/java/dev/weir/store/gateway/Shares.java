package dev.weir.store.gateway;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;

/**
 * This instance's share of the provider's limit: max-min fair (Bertsekas and Gallager, Data Networks, 6.5.2). Nobody gets less than an
 * equal share who could use it, and what some cannot use is the others'. An instance without messages keeps a small part, to begin with.
 *
 * <p>All instances reckon with the same numbers, but see them up to a second apart. So a share is lowered at once, and raised to what it has
 * been at the last three times, by when the others have lowered theirs. Not safe for several threads.
 */
final class Shares {

    private static final double LEAST = 0.05;
    private static final int TIMES = 3;
    private static final int BISECTIONS = 60;

    private final double limitPerSecond;
    private final Deque<Double> computed = new ArrayDeque<>();

    /** Of this limit, above 0. */
    Shares(double limitPerSecond) {
        this.limitPerSecond = limitPerSecond;
    }

    /**
     * The share from now on, above 0; to be asked once a second.
     *
     * @param own messages a second that this instance can use, 0 or more; infinite where it has a backlog
     * @param others the same of all others
     */
    double next(double own, Collection<Double> others) {
        double share = fair(limitPerSecond, own, others);
        if (others.isEmpty()) {
            begin(share);
        } else if (computed.isEmpty()) {
            begin(LEAST * limitPerSecond / (others.size() + 1));
        }
        computed.remove();
        computed.add(share);
        return computed.stream().mapToDouble(Double::doubleValue).min().orElse(share);
    }

    private void begin(double share) {
        computed.clear();
        computed.addAll(Collections.nCopies(TIMES, share));
    }

    /** One instance's part of a limit; the parts of all are the limit. */
    static double fair(double limit, double own, Collection<Double> others) {
        int count = others.size() + 1;
        double least = LEAST * limit / count;
        double[] wanted = new double[count];
        wanted[0] = Math.clamp(own, least, limit);
        int next = 1;
        for (double other : others) {
            wanted[next++] = Math.clamp(other, least, limit);
        }
        double spare = limit - upTo(limit, wanted);
        return spare >= 0 ? wanted[0] + spare / count : Math.min(wanted[0], level(limit, wanted));
    }

    /** What each gets that wants more than it. */
    private static double level(double limit, double[] wanted) {
        double low = 0;
        double high = limit;
        for (int i = 0; i < BISECTIONS; i++) {
            double middle = (low + high) / 2;
            if (upTo(middle, wanted) > limit) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return low;
    }

    private static double upTo(double level, double[] wanted) {
        double sum = 0;
        for (double each : wanted) {
            sum += Math.min(each, level);
        }
        return sum;
    }
}
