package dev.weir.store.gateway;

import java.util.ArrayDeque;
import java.util.Deque;

/** How many messages a second an instance could send if it were allowed to. Fed once a second. Not safe for several threads. */
final class Demand {

    private static final int SECONDS = 5;
    private static final double HEADROOM = 1.25;

    private final Deque<Double> last = new ArrayDeque<>();

    /**
     * One second has passed.
     *
     * @param sent in it
     * @param backlogged whether messages waited all the time
     * @return messages a second, 0 or more; infinite after a second with a backlog
     */
    double second(long sent, boolean backlogged) {
        last.add((double) sent);
        if (last.size() > SECONDS) {
            last.remove();
        }
        return backlogged
                ? Double.POSITIVE_INFINITY
                : HEADROOM
                        * last.stream().mapToDouble(Double::doubleValue).max().orElse(0);
    }
}
