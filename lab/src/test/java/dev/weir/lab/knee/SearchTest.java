package dev.weir.lab.knee;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.lab.knee.Capacity.Limit;
import dev.weir.lab.knee.Search.Action;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SearchTest {
    private static final Slo NO_LATENCY = new Slo(List.of(), 0.001);
    private static final Duration BUDGET = Duration.ofSeconds(90);

    private Duration spent = Duration.ZERO;

    @Test
    void endsAtTheHighestRateAllowed() {
        Action.Done done = drive(search(10, 100), (rate, seconds) -> step(rate, rate, seconds));

        assertThat(done.capacity()).isEqualTo(new Capacity(100, Double.POSITIVE_INFINITY, Limit.MAX_RATE));
        assertThat(done.settled()).isTrue();
    }

    @Test
    void saysThatTheGeneratorWasTheLimit() {
        Action.Done done = drive(
                search(100, 1e6),
                (rate, seconds) -> rate > 3000 ? generatorLimited(rate, seconds) : step(rate, rate, seconds));

        assertThat(done.capacity().limit()).isEqualTo(Limit.GENERATOR);
        assertThat(done.capacity().lowPerSecond()).isBetween(2500.0, 3000.0);
        assertThat(done.capacity().highPerSecond()).isInfinite();
    }

    @Test
    void doesNotCallARateTheHighestTriedWhereTheGeneratorFailedAtAHigherOne() {
        Search search = search(100, 1e6);
        Action.Probe first = (Action.Probe) search.next();
        search.observe(step(first.ratePerSecond(), first.ratePerSecond(), 5));
        Action.Probe second = (Action.Probe) search.next();
        search.observe(generatorLimited(second.ratePerSecond(), 5));

        assertThat(search.soFar()).isEqualTo(new Capacity(100, Double.POSITIVE_INFINITY, Limit.GENERATOR));
    }

    @Test
    void oneBadStepOfTheGeneratorDecidesNothing() {
        int[] steps = {0};
        Action.Done done = drive(
                search(100, 1600),
                (rate, seconds) -> steps[0]++ == 2 ? generatorLimited(rate, seconds) : step(rate, rate, seconds));

        assertThat(done.capacity()).isEqualTo(new Capacity(1600, Double.POSITIVE_INFINITY, Limit.MAX_RATE));
        assertThat(done.settled()).isTrue();
    }

    @Test
    void goesDownWhereTheFirstRateIsTooHigh() {
        Action.Done done = drive(search(1000, 1e6), (rate, seconds) -> step(rate, Math.min(rate, 120), seconds));

        assertThat(done.capacity().lowPerSecond()).isBetween(108.0, 120.0);
        assertThat(done.capacity().highPerSecond()).isBetween(120.0, 132.0);
    }

    @Test
    void findsNothingWhereEverythingFails() {
        Action.Done done = drive(search(1000, 1e6), (rate, seconds) -> refused(rate, seconds));

        assertThat(done.capacity().lowPerSecond()).isZero();
        assertThat(done.capacity().limit()).isEqualTo(Limit.ERRORS);
        assertThat(done.settled()).isFalse();
    }

    @Test
    void restsAndLooksAtALowRateAfterAnOverloadThatDidNotDrain() {
        Search search = search(10, 1e6);
        Action.Probe first = (Action.Probe) search.next();
        search.observe(notDrained(first.ratePerSecond(), 5));

        assertThat(search.next()).isInstanceOf(Action.Rest.class);
        search.rested();
        assertThat(search.next())
                .isInstanceOfSatisfying(
                        Action.Probe.class, probe -> assertThat(probe.phase()).isEqualTo(Search.Phase.RECOVER));
    }

    @Test
    void alwaysEndsWithinItsBudgetAndWithLowBelowHigh() {
        for (long seed = 1; seed <= 300; seed++) {
            Random random = new Random(seed);
            double capacity = Math.exp(random.nextDouble() * 12);
            Service service = (rate, seconds) -> switch (random.nextInt(8)) {
                case 0 -> refused(rate, seconds);
                case 1 -> generatorLimited(rate, seconds);
                case 2 -> notDrained(rate, seconds);
                case 3 -> step(rate, rate * random.nextDouble(), seconds);
                default -> step(rate, Math.min(rate, capacity), seconds);
            };
            spent = Duration.ZERO;

            Action.Done done = drive(search(1 + 100 * random.nextDouble(), 1e5), service);

            assertThat(done.capacity().lowPerSecond())
                    .as("seed %d: %s", seed, done)
                    .isLessThanOrEqualTo(done.capacity().highPerSecond());
            assertThat(spent).as("seed %d", seed).isLessThanOrEqualTo(BUDGET);
        }
    }

    @Test
    void refusesAPlanThatCannotWork() {
        assertThatThrownBy(() -> SearchPlan.within(BUDGET, 0, 100, 0.05, NO_LATENCY, 20))
                .hasMessageContaining("start rate is 0");
        assertThatThrownBy(() -> SearchPlan.within(BUDGET, 200, 100, 0.05, NO_LATENCY, 20))
                .hasMessageContaining("highest rate is 100");
        assertThatThrownBy(() -> SearchPlan.within(BUDGET, 10, 100, 0.9, NO_LATENCY, 20))
                .hasMessageContaining("precision is 90");
        assertThatThrownBy(() -> SearchPlan.within(Duration.ofSeconds(3), 10, 100, 0.05, NO_LATENCY, 20))
                .hasMessageContaining("time budget is 3 s");
    }

    private interface Service {
        StepObservation answer(double rate, int seconds);
    }

    private static Search search(double start, double max) {
        return new Search(SearchPlan.within(BUDGET, start, max, 0.05, NO_LATENCY, 20));
    }

    private Action.Done drive(Search search, Service service) {
        for (int i = 0; i < 10_000; i++) {
            switch (search.next()) {
                case Action.Done done -> {
                    return done;
                }
                case Action.Rest rest -> {
                    spent = spent.plus(rest.duration());
                    search.rested();
                }
                case Action.Probe probe -> {
                    int seconds = probe.minSeconds();
                    while (!search.enough(
                            service.answer(probe.ratePerSecond(), seconds).seconds())) {
                        seconds++;
                    }
                    spent = spent.plusSeconds(seconds);
                    search.observe(service.answer(probe.ratePerSecond(), seconds));
                }
            }
        }
        throw new AssertionError("the search does not end");
    }

    private static StepObservation step(double rate, double completed, int seconds) {
        return observation(rate, completed, seconds, 0, false, true);
    }

    private static StepObservation refused(double rate, int seconds) {
        return observation(rate, rate, seconds, (long) (rate * seconds / 2 + 10), false, true);
    }

    private static StepObservation generatorLimited(double rate, int seconds) {
        return observation(rate, rate / 2, seconds, 0, true, true);
    }

    private static StepObservation notDrained(double rate, int seconds) {
        return observation(rate, rate / 4, seconds, 0, false, false);
    }

    private static StepObservation observation(
            double rate, double completed, int seconds, long hard, boolean limited, boolean drained) {
        return new StepObservation(
                rate,
                Collections.nCopies(seconds, new StepSecond(rate, completed, completed)),
                (long) Math.ceil(rate * seconds),
                drained ? 0 : (long) (rate * seconds / 2),
                hard,
                percentile -> 20,
                rate * 0.02,
                1,
                limited,
                drained,
                Duration.ofSeconds(seconds));
    }
}
