package dev.weir.lab.knee;

import dev.weir.lab.knee.Capacity.Limit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rate at which a service stalls. A state machine without clock, thread or I/O: {@link #next} says what to do,
 * {@link #enough} whether a running step has shown what it can, and {@link #observe} takes what it showed.
 *
 * <p>It doubles the rate until a step fails, so that it never asks a service for much more than twice what it can do;
 * then closes in. What is left to try is computed afresh from all trials each time ({@link Bracket}, {@link Estimate}),
 * so contradicting trials need no states of their own. Three things shape it. A service at its limit completes its
 * capacity, so a mild, long overload measures the limit directly, and more exactly than bisecting; but a service that
 * slows down under overload completes less, and then what passed and what failed counts. Near the limit a queue needs
 * long to settle, about {@code 1 / (1 - utilisation)^2} service times, so steps there are extended until they are
 * decided. And an overloaded service is left to drain and to answer a low rate well before the next step, else one
 * failure causes the next.
 *
 * <p>Not safe for use by several threads.
 */
public final class Search {

    /** What to do next. */
    public sealed interface Action {

        /**
         * Offer a rate, for at least and at most so many seconds, ending when {@link #enough} says so; let the service
         * drain, and tell {@link #observe}.
         */
        record Probe(Phase phase, double ratePerSecond, int minSeconds, int maxSeconds) implements Action {}

        /** Offer nothing for a while, then call {@link #rested}. */
        record Rest(Duration duration, String why) implements Action {}

        /**
         * It is over.
         *
         * @param settled both ends of the interval are confirmed and it is as narrow as asked for
         * @param why what ended it, as a sentence
         */
        record Done(Capacity capacity, boolean settled, String why) implements Action {}
    }

    /** What a step is for. */
    public enum Phase {
        /** To find the neighbourhood of the limit. */
        SEARCH,
        /** To hold a rate that is to be an end of the interval. */
        CONFIRM,
        /** To see the service healthy after an overload. Not part of the result. */
        RECOVER;

        /** The word used in text and JSON output. */
        public String id() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final int MAX_TRIALS = 60;
    private static final int MAX_RECOVERIES = 3;
    /** Long overloads after which a throughput that still varies is given up as an estimate. */
    private static final int MAX_OVERLOADS = 2;

    private static final int RECOVER_SECONDS = 2;
    private static final Duration REST = Duration.ofSeconds(2);
    /** A mild overload, at least: far enough above the limit to show in seconds, near enough to drain in few. */
    private static final double OVERLOAD = 1.1;
    /** Deeper overload than this is ended as soon as it is seen. */
    private static final double GROSS_DEFICIT = 0.2;

    private static final int GROSS_SECONDS = 3;
    /** The backlog a step may pile up, in seconds of its rate: it must be worked off before any time-out. */
    private static final double MAX_BACKLOG_SECONDS = 3;
    /** How far from the estimate the ends are put, in standard errors. */
    private static final double END_SIGMAS = 3;
    /** The farthest an end is put from the estimate, in precisions: a little is left for what the two ends are rounded by. */
    private static final double LONGEST_REACH = 0.97;
    /** How far the ends are put from the middle of a bracket, in standard errors of what its requests can tell. */
    private static final double PAD_SIGMAS = 1.5;
    /** Steps that differ by no more than this share tell of the same limit. */
    private static final double NEAR = 0.25;
    /** A rate this near to another one stands for it. */
    private static final double NEARLY = 0.995;

    private final SearchPlan plan;
    private final StepJudge judge;
    private final List<Trial> trials = new ArrayList<>();
    private final List<Double> generatorLimited = new ArrayList<>();
    private Duration spent = Duration.ZERO;
    private int recoveriesLeft;
    private boolean restNext;
    private @Nullable Action current;

    /** Makes one at its start. */
    public Search(SearchPlan plan) {
        this.plan = plan;
        judge = new StepJudge(plan.slo(), plan.baseMillis());
    }

    /** What to do now; the same answer until {@link #observe} or {@link #rested} is called. */
    public Action next() {
        if (current == null) {
            current = affordable(decide());
        }
        return current;
    }

    /** Whether the running step has shown what it can. Told of all its whole seconds so far. */
    public boolean enough(List<StepSecond> soFar) {
        if (!(next() instanceof Action.Probe probe)) {
            return true;
        }
        Backlog backlog = Backlog.of(soFar, plan.baseMillis());
        int count = soFar.size();
        boolean tooDeep = backlog.last() > MAX_BACKLOG_SECONDS * probe.ratePerSecond();
        if (count >= probe.maxSeconds() || tooDeep || drowns(soFar, probe.ratePerSecond())) {
            return true;
        }
        return count >= probe.minSeconds() && decided(probe, soFar, backlog);
    }

    /** How a step would be judged; changes nothing. */
    public Judgement judge(StepObservation step) {
        return judge.judge(step);
    }

    /** Takes what the step last asked for showed, and answers how it was judged. */
    public Judgement observe(StepObservation step) {
        if (!(next() instanceof Action.Probe probe)) {
            throw new IllegalStateException("no step is running: the next action is " + next());
        }
        current = null;
        spent = spent.plus(step.took());
        Judgement judgement = judge.judge(step);
        if (probe.phase() == Phase.RECOVER) {
            recovered(judgement.passed());
        } else if (judgement.limit() == Limit.GENERATOR) {
            generatorLimited.add(step.ratePerSecond());
        } else {
            if (judgement.passed()) {
                generatorLimited.removeIf(rate -> rate <= step.ratePerSecond());
            }
            int seconds = step.seconds().size();
            boolean confirming = judgement.passed()
                    ? seconds >= plan.longSeconds() && StepJudge.stationary(step)
                    : seconds >= plan.longSeconds() || (probe.phase() == Phase.CONFIRM && judgement.decisive());
            trials.add(new Trial(step.ratePerSecond(), seconds, confirming, judgement));
            if (judgement.decisive() || !step.drained()) {
                recoveriesLeft = MAX_RECOVERIES;
                restNext = !step.drained();
            }
        }
        return judgement;
    }

    /** Takes that the rest last asked for is over. */
    public void rested() {
        if (next() instanceof Action.Rest rest) {
            spent = spent.plus(rest.duration());
            restNext = false;
            current = null;
        }
    }

    /** What is known so far, the ends not necessarily confirmed. */
    public Capacity soFar() {
        return capacity(bracket());
    }

    private void recovered(boolean healthy) {
        recoveriesLeft = healthy ? 0 : recoveriesLeft - 1;
        restNext = !healthy;
    }

    private Action affordable(Action action) {
        Duration left = plan.budget().minus(spent);
        if (action instanceof Action.Done) {
            return action;
        }
        long needed = action instanceof Action.Probe probe ? probe.minSeconds() : REST.toSeconds();
        if (left.toSeconds() < needed || trials.size() >= MAX_TRIALS) {
            return done(
                    false,
                    String.format(
                            Locale.ROOT,
                            "the time budget of %d s was used up",
                            plan.budget().toSeconds()));
        }
        return action instanceof Action.Probe probe
                ? new Action.Probe(
                        probe.phase(),
                        probe.ratePerSecond(),
                        probe.minSeconds(),
                        Math.clamp(left.toSeconds(), probe.minSeconds(), probe.maxSeconds()))
                : action;
    }

    private Action decide() {
        if (restNext) {
            return new Action.Rest(REST, "the service has not recovered from the overload yet");
        }
        Bracket bracket = bracket();
        if (recoveriesLeft > 0) {
            return recover(bracket);
        }
        if (bracket.high() == null) {
            return upwards(bracket);
        }
        if (bracket.low() == null) {
            return downwards(bracket);
        }
        double ceiling = ceiling();
        if (ceiling < bracket.highPerSecond() && ceiling <= bracket.lowPerSecond() * (1 + 2 * plan.precision())) {
            return done(true, "the generator could not offer more");
        }
        Estimate estimate = Estimate.of(trials, bracket, plan.precision());
        if (estimate == null) {
            return bisect(bracket);
        }
        if (estimate.seconds() > 0) {
            return enclose(bracket, estimate);
        }
        Estimate plateau = Estimate.plateau(trials, bracket, plan.precision());
        return plateau != null && !plateau.precise(plan.precision()) && confirmedOverloads(plateau.ratePerSecond()) == 0
                ? overload(bracket, plateau)
                : cross(bracket, estimate);
    }

    private Action recover(Bracket bracket) {
        double healthy = bracket.low() != null ? bracket.lowPerSecond() / 2 : lowestFailure() / 8;
        return new Action.Probe(Phase.RECOVER, healthy, RECOVER_SECONDS, RECOVER_SECONDS);
    }

    /** Nothing failed yet: double, up to the highest rate allowed or the generator's own limit. */
    private Action upwards(Bracket bracket) {
        double low = bracket.lowPerSecond();
        double ceiling = ceiling();
        if (ceiling < plan.maxPerSecond() && low * (1 + 2 * plan.precision()) >= ceiling) {
            return bracket.lowConfirmed(trials) ? done(true, "the generator could not offer more") : confirm(low);
        }
        if (low >= plan.maxPerSecond()) {
            return bracket.lowConfirmed(trials) ? done(true, "the highest rate allowed was sustained") : confirm(low);
        }
        double rate = Math.min(low == 0 ? plan.startPerSecond() : 2 * low, plan.maxPerSecond());
        if (rate >= ceiling) {
            rate = low == 0 ? ceiling / 2 : Math.sqrt(low * ceiling);
        } else if (!generatorLimited.isEmpty() && rate > generatorLimited.getLast()) {
            rate = generatorLimited.getLast();
        }
        return search(rate);
    }

    /** Nothing passed yet: well below what was completed, or what failed. */
    private Action downwards(Bracket bracket) {
        double high = bracket.highPerSecond();
        if (high < plan.startPerSecond() / 100) {
            return done(false, "not even the lowest rate tried was sustained");
        }
        Estimate estimate = Estimate.plateauOf(trials, plan.precision());
        double guess = estimate == null ? high / 4 : 0.7 * estimate.ratePerSecond();
        return search(Math.clamp(guess, high / 10, 0.8 * high));
    }

    /** The service completes its capacity under overload: measure that well, and hold a rate just below it. */
    private Action enclose(Bracket bracket, Estimate estimate) {
        double rate = estimate.ratePerSecond();
        boolean measured = estimate.relativeError() * END_SIGMAS <= LONGEST_REACH * plan.precision()
                && bracket.highPerSecond() <= rate * OVERLOAD * OVERLOAD * (1 + plan.precision())
                && bracket.highConfirmed(trials);
        if (!measured && confirmedOverloads(rate) >= MAX_OVERLOADS) {
            return bisect(bracket);
        }
        if (!measured) {
            return overload(bracket, estimate);
        }
        double low = rate * (1 - reach(estimate));
        return Bracket.confirmed(trials, NEARLY * low)
                ? done(true, "both ends of the interval are confirmed")
                : confirm(low);
    }

    /** An objective is crossed between two rates: close in on the crossing and hold a rate on either side of it. */
    private Action cross(Bracket bracket, Estimate estimate) {
        double low = bracket.lowPerSecond();
        double high = Math.min(bracket.highPerSecond(), measuredCeiling(bracket));
        double ratio = high / low;
        double rate = estimate.ratePerSecond();
        if (ratio > 1 + 5 * plan.precision()) {
            double inside = Math.clamp(rate, low * Math.pow(ratio, 0.2), low * Math.pow(ratio, 0.8));
            return hold(Phase.SEARCH, inside, plan.shortSeconds());
        }
        if (high <= low * (1 + 1.8 * plan.precision())) {
            return confirmEnds(bracket);
        }
        boolean lowIsFarther = rate - low > high - rate;
        double end = rate * (lowIsFarther ? 1 - reach(estimate) : 1 + reach(estimate));
        return hold(Phase.CONFIRM, end, plan.maxSeconds() * 4 / 5);
    }

    /** Holds a rate as long as its percentiles need to settle, and at least so long. */
    private Action hold(Phase phase, double rate, int seconds) {
        double settle = Math.ceil(Estimate.secondsToSettle(trials, rate, plan.precision()));
        return new Action.Probe(phase, rate, (int) Math.clamp(settle, seconds, plan.maxSeconds()), plan.maxSeconds());
    }

    private Action bisect(Bracket bracket) {
        double low = bracket.lowPerSecond();
        double high = bracket.highPerSecond();
        if (high > low * (1 + 1.2 * plan.precision())) {
            double middle = Math.sqrt(low * high);
            return high > low * (1 + 6 * plan.precision()) ? search(middle) : confirm(middle);
        }
        return confirmEnds(bracket);
    }

    private Action confirmEnds(Bracket bracket) {
        if (!bracket.lowConfirmed(trials)) {
            return confirm(bracket.lowPerSecond());
        }
        if (!bracket.highConfirmed(trials)) {
            return confirm(bracket.highPerSecond());
        }
        return done(true, "both ends of the interval are confirmed");
    }

    /** Each of the last seconds left a good share of its requests unanswered: not one freeze, but plain overload. */
    private static boolean drowns(List<StepSecond> soFar, double rate) {
        return soFar.size() >= GROSS_SECONDS
                && soFar.subList(soFar.size() - GROSS_SECONDS, soFar.size()).stream()
                        .allMatch(second -> second.offered() - second.answered() > GROSS_DEFICIT * rate);
    }

    private boolean decided(Action.Probe probe, List<StepSecond> soFar, Backlog backlog) {
        if (backlog.growsDecisively()) {
            Throughput throughput = Throughput.saturated(soFar, plan.baseMillis());
            return probe.phase() != Phase.CONFIRM
                    || (throughput != null
                            && END_SIGMAS * throughput.relativeError() <= LONGEST_REACH * plan.precision());
        }
        return backlog.emptied() || (probe.phase() != Phase.CONFIRM && backlog.sigmas() < 1);
    }

    private Action search(double rate) {
        return new Action.Probe(Phase.SEARCH, rate, plan.shortSeconds(), plan.longSeconds());
    }

    private Action confirm(double rate) {
        return new Action.Probe(Phase.CONFIRM, rate, plan.longSeconds(), plan.maxSeconds());
    }

    private Action done(boolean settled, String why) {
        return new Action.Done(soFar(), settled, why);
    }

    /** The lowest rate the generator twice failed to offer; without one, the highest rate allowed. */
    private double ceiling() {
        List<Double> sorted = generatorLimited.stream().sorted().toList();
        return sorted.size() < 2 ? Double.POSITIVE_INFINITY : Math.min(sorted.get(1), plan.maxPerSecond());
    }

    private double lowestFailure() {
        return trials.stream()
                .filter(trial -> !trial.passed())
                .mapToDouble(Trial::ratePerSecond)
                .min()
                .orElse(plan.startPerSecond());
    }

    private long confirmedOverloads(double rate) {
        return trials.stream()
                .filter(trial -> !trial.passed() && trial.confirming() && trial.ratePerSecond() > rate)
                .count();
    }

    private Action overload(Bracket bracket, Estimate plateau) {
        double beyond = Math.max(OVERLOAD, 1 + 2 * Math.min(plan.precision(), plateau.relativeError()));
        return confirm(Math.min(plateau.ratePerSecond() * beyond, bracket.highPerSecond()));
    }

    /** The most the service can complete, where that was measured well; infinite otherwise. */
    private double measuredCeiling(Bracket bracket) {
        Estimate plateau = Estimate.plateau(trials, bracket, plan.precision());
        return plateau == null || !plateau.precise(plan.precision())
                ? Double.POSITIVE_INFINITY
                : plateau.ratePerSecond() * (1 + 2 * plateau.relativeError());
    }

    private Bracket bracket() {
        return Bracket.of(Estimate.credible(trials, plan.precision()));
    }

    /** How far from the estimate the ends are put, relative to it. */
    private double reach(Estimate estimate) {
        return Math.clamp(
                END_SIGMAS * estimate.relativeError(), 0.6 * plan.precision(), LONGEST_REACH * plan.precision());
    }

    private Capacity capacity(Bracket bracket) {
        double low = bracket.lowPerSecond();
        double high = bracket.highPerSecond();
        Trial failed = bracket.high();
        // One such step does not decide while there is time for another; at the end it is all that is known of its
        // rate.
        boolean endedAtGenerator = failed == null && generatorLimited.stream().anyMatch(rate -> rate > low);
        if (endedAtGenerator || ceiling() < Math.min(high, plan.maxPerSecond())) {
            return new Capacity(low, high, Limit.GENERATOR);
        }
        Limit limit = failed == null || failed.judgement().limit() == null
                ? Limit.MAX_RATE
                : failed.judgement().limit();
        Estimate estimate = Estimate.of(trials, bracket, plan.precision());
        if (estimate != null
                && estimate.seconds() > 0
                && END_SIGMAS * estimate.relativeError() <= 2 * padding(estimate.ratePerSecond())) {
            return around(estimate, limit);
        }
        if (low == 0 || Double.isInfinite(high)) {
            return new Capacity(low, high, limit);
        }
        return estimate == null || estimate.seconds() > 0
                ? padded(low, high, limit, Math.sqrt(low * high))
                : padded(low, Math.min(high, measuredCeiling(bracket)), limit, estimate.ratePerSecond());
    }

    /**
     * One step passes or fails by chance within a few percent of the limit: no end is put nearer to it than that. Chance
     * moves a queue by about {@code sqrt(2 n)} in n requests ({@link Backlog}), so few requests tell a limit to no better
     * than {@code sqrt(2 / n)} of itself.
     */
    private Capacity padded(double low, double high, Limit limit, double middle) {
        double reach = padding(middle);
        double widest = 1 + 3 * reach;
        double lowEnd = Math.min(low, Math.max(middle * (1 - reach), high / widest));
        return new Capacity(lowEnd, Math.max(high, Math.min(middle * (1 + reach), lowEnd * widest)), limit);
    }

    /** How far the ends are put from the middle of a bracket, relative to it. */
    private double padding(double middle) {
        return Math.max(0.85 * plan.precision(), PAD_SIGMAS * Math.sqrt(2 / requestsNear(middle)));
    }

    private double requestsNear(double rate) {
        return Math.max(
                1,
                trials.stream()
                        .filter(trial -> Math.abs(trial.ratePerSecond() / rate - 1) <= NEAR)
                        .mapToDouble(trial -> trial.ratePerSecond() * trial.seconds())
                        .sum());
    }

    /** Puts the ends around the measured plateau. */
    private Capacity around(Estimate plateau, Limit limit) {
        double reach = Math.max(END_SIGMAS * plateau.relativeError(), reach(plateau));
        double rate = plateau.ratePerSecond();
        return new Capacity(rate * (1 - reach), rate * (1 + reach), limit);
    }
}
