package dev.weir.lab.knee;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where the trials so far say the limit lies: between the highest rate that passed and the lowest that failed.
 *
 * <p>Trials contradict each other on a noisy machine, and one short bad trial must not decide (the idea of MLRsearch,
 * RFC draft ietf-bmwg-mlrsearch: a share of bad trials is allowed). So the limit is put where the fewest seconds of
 * trials speak against it: failures below it and passes above it. Later trials weigh slightly more, so that a tie goes
 * to what is true now.
 *
 * @param low the highest pass below the limit; null where none
 * @param high the lowest failure above the limit; null where none
 */
record Bracket(@Nullable Trial low, @Nullable Trial high) {

    private static final double SUPPORT = 2;

    static Bracket of(List<Trial> trials) {
        double limit = limit(trials);
        Trial low = passes(trials)
                .filter(trial -> trial.ratePerSecond() < limit)
                .max(Comparator.comparingDouble(Trial::ratePerSecond))
                .orElse(null);
        Trial high = failures(trials)
                .filter(trial -> trial.ratePerSecond() >= limit)
                .min(Comparator.comparingDouble(Trial::ratePerSecond))
                .orElse(null);
        return new Bracket(low, high);
    }

    double lowPerSecond() {
        return low == null ? 0 : low.ratePerSecond();
    }

    double highPerSecond() {
        return high == null ? Double.POSITIVE_INFINITY : high.ratePerSecond();
    }

    /** The low end was held long enough, and clearly more speaks for it than against it. */
    boolean lowConfirmed(List<Trial> trials) {
        return confirmed(trials, lowPerSecond());
    }

    /** A rate, or a higher one, was held long enough, and clearly more speaks for it than against it. */
    static boolean confirmed(List<Trial> trials, double rate) {
        return passes(trials).anyMatch(trial -> trial.ratePerSecond() >= rate && trial.confirming())
                && passedFrom(trials, rate) >= SUPPORT * failedUpTo(trials, rate);
    }

    /** The high end failed long, and decisively or twice, and clearly more speaks for it than against it. */
    boolean highConfirmed(List<Trial> trials) {
        double rate = highPerSecond();
        List<Trial> seen =
                failures(trials).filter(trial -> trial.ratePerSecond() <= rate).toList();
        boolean decided = seen.stream()
                .anyMatch(trial -> trial.confirming()
                        && (seen.size() >= 2 || trial.judgement().decisive()));
        return decided && failedUpTo(trials, rate) >= SUPPORT * passedFrom(trials, rate);
    }

    private static double limit(List<Trial> trials) {
        double best = Double.POSITIVE_INFINITY;
        double least = against(trials, best);
        for (Trial trial : trials) {
            // A limit just above a pass, or just at a failure: between neighbours the evidence is the same.
            double candidate = trial.passed() ? Math.nextUp(trial.ratePerSecond()) : trial.ratePerSecond();
            double cost = against(trials, candidate);
            if (cost < least - 1e-9) {
                least = cost;
                best = candidate;
            }
        }
        return best;
    }

    private static double against(List<Trial> trials, double limit) {
        double cost = 0;
        for (int i = 0; i < trials.size(); i++) {
            Trial trial = trials.get(i);
            boolean below = trial.ratePerSecond() < limit;
            if (trial.passed() != below) {
                cost += trial.seconds() * (1 + 0.02 * i);
            }
        }
        return cost;
    }

    private static double failedUpTo(List<Trial> trials, double rate) {
        return failures(trials)
                .filter(trial -> trial.ratePerSecond() <= rate)
                .mapToDouble(Trial::seconds)
                .sum();
    }

    private static double passedFrom(List<Trial> trials, double rate) {
        return passes(trials)
                .filter(trial -> trial.ratePerSecond() >= rate)
                .mapToDouble(Trial::seconds)
                .sum();
    }

    private static Stream<Trial> passes(List<Trial> trials) {
        return trials.stream().filter(Trial::passed);
    }

    private static Stream<Trial> failures(List<Trial> trials) {
        return trials.stream().filter(trial -> !trial.passed());
    }
}
