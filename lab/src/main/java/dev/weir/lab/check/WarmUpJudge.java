package dev.weir.lab.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Decides from evidence when a service is warm. Fed with the throughput of short windows of equal load, it wants it flat
 * over several windows and the JIT compilers quiet; then a rest, and the same throughput after it. The rest matters: under
 * continuous load the compiler threads of a busy machine can starve, and a service then looks flat far below its speed and
 * jumps after a pause (measured by the Quarkus project in 2026: 3,300/s to 7,800/s). Pure; not for several threads.
 */
final class WarmUpJudge {

    /** What to do next. */
    sealed interface Next {
        /** Load for another window. */
        record Load() implements Next {}

        /** Leave the service alone for a moment, then load. */
        record Rest() implements Next {}

        /** It is over. */
        record Over(boolean settled, String why) implements Next {}
    }

    private static final int FLAT_WINDOWS = 3;
    private static final double FLAT = 0.05;
    private static final double FLAT_AFTER_REST = 0.08;
    /** The noise of counting: windows with few requests differ by chance. */
    private static final double SIGMAS = 3;

    private static final double QUIET_COMPILERS = 0.15;

    private final List<Double> perSecond = new ArrayList<>();
    private double windowSeconds = 1;
    private @Nullable Double compilers;
    private @Nullable Double beforeRest;
    private boolean resting;

    /**
     * Takes a window.
     *
     * @param compileShare compiler threads at work, in threads; null where unknown
     */
    void add(double completedPerSecond, double seconds, @Nullable Double compileShare) {
        perSecond.add(completedPerSecond);
        windowSeconds = seconds;
        compilers = compileShare;
        resting = false;
    }

    /** What to do next; {@code timeIsUp} where no other window is allowed. */
    Next next(boolean timeIsUp) {
        Double rested = beforeRest;
        if (rested != null && !resting) {
            double now = perSecond.getLast();
            if (now <= rested * (1 + FLAT_AFTER_REST) + noise(rested)) {
                return new Next.Over(
                        true,
                        String.format(
                                Locale.ROOT,
                                "throughput was flat at %.0f/s over %d windows and did not rise after a rest%s",
                                now,
                                FLAT_WINDOWS,
                                compilers == null ? "" : quiet() ? "; the compilers were quiet" : ""));
            }
            beforeRest = null;
        }
        if (timeIsUp) {
            return new Next.Over(false, "the time for the warm-up was used up; " + state());
        }
        if (flat() && quiet()) {
            beforeRest = perSecond.getLast();
            resting = true;
            return new Next.Rest();
        }
        return new Next.Load();
    }

    private String state() {
        if (perSecond.size() < FLAT_WINDOWS) {
            return "there were too few windows to tell";
        }
        return flat()
                ? String.format(Locale.ROOT, "throughput was flat, but %.1f compiler threads were at work", compilers())
                : String.format(
                        Locale.ROOT,
                        "throughput still moved, %.0f/s to %.0f/s in the last windows",
                        perSecond.get(perSecond.size() - FLAT_WINDOWS),
                        perSecond.getLast());
    }

    private boolean flat() {
        if (perSecond.size() < FLAT_WINDOWS) {
            return false;
        }
        List<Double> last = perSecond.subList(perSecond.size() - FLAT_WINDOWS, perSecond.size());
        double low = last.stream().mapToDouble(Double::doubleValue).min().orElse(0);
        double high = last.stream().mapToDouble(Double::doubleValue).max().orElse(0);
        return high - low <= FLAT * high + noise(high);
    }

    private boolean quiet() {
        return compilers() < QUIET_COMPILERS;
    }

    private double compilers() {
        return compilers == null ? 0 : compilers;
    }

    private double noise(double rate) {
        return SIGMAS * Math.sqrt(2 * rate / windowSeconds);
    }
}
