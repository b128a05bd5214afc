package dev.weir.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.weir.lab.compare.FigureResult.Compared;
import dev.weir.lab.compare.FigureResult.NotEnoughData;
import dev.weir.lab.compare.FigureResult.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InferenceTest {
    private static final int TRIALS = 200;
    private static final int REPLICATES = 100;
    private static final int SECONDS = 15;

    @ParameterizedTest(name = "{0} round(s), drift {1}, runs {2}, seconds {3}, correlation {4}")
    @CsvSource({
        "2, 0,     0.02, 0.05, 0.7",
        "2, 0.01,  0.02, 0.05, 0.7",
        "2, -0.03, 0.01, 0.10, 0.5",
        "2, 0.05,  0,    0.10, 0.8",
        "2, 0.02,  0,    0.02, 0",
        "3, 0,     0.05, 0.02, 0.3",
    })
    void twoOfTheSameShowNoDifference(
            int rounds, double drift, double runSpread, double secondSpread, double correlation) {
        SyntheticRuns same = new SyntheticRuns(1, drift, runSpread, secondSpread, correlation, SECONDS);

        assertThat(trials(same, rounds, Verdict.NO_DIFFERENCE)).isGreaterThanOrEqualTo(TRIALS * 95 / 100);
    }

    @Test
    void oneRoundMistakesTwoOfTheSameOnceInTwenty() {
        SyntheticRuns same = new SyntheticRuns(1, 0.01, 0.02, 0.05, 0.7, SECONDS);

        assertThat(trials(same, 1, Verdict.NO_DIFFERENCE)).isGreaterThanOrEqualTo(TRIALS * 92 / 100);
    }

    @ParameterizedTest(name = "effect {0}, {1} round(s), drift {2}")
    @CsvSource({"1.10, 2, 0", "1.10, 2, 0.02", "0.90, 2, -0.02", "1.20, 1, 0.02"})
    void aDifferenceBeyondTheNoiseIsFound(double effect, int rounds, double drift) {
        SyntheticRuns faster = new SyntheticRuns(effect, drift, 0.01, 0.03, 0.5, SECONDS);

        assertThat(trials(faster, rounds, effect > 1 ? Verdict.FASTER : Verdict.SLOWER))
                .isGreaterThanOrEqualTo(TRIALS * 95 / 100);
    }

    @ParameterizedTest(name = "{0} round(s), runs {1}, seconds {2}")
    @CsvSource({"1, 0.02, 0.05", "2, 0.02, 0.05", "2, 0, 0.05"})
    void theIntervalHoldsTheTruth(int rounds, double runSpread, double secondSpread) {
        SyntheticRuns faster = new SyntheticRuns(1.07, 0.01, runSpread, secondSpread, 0.5, SECONDS);

        long held = IntStream.range(0, TRIALS)
                .mapToObj(seed -> compared(faster, rounds, seed))
                .filter(result -> result.low() <= 0.07 && 0.07 <= result.high())
                .count();

        assertThat(held).isGreaterThanOrEqualTo(TRIALS * 93 / 100);
    }

    @Test
    void aSteadyDriftIsNotTakenForADifference() {
        SyntheticRuns drifting = new SyntheticRuns(1, 0.05, 0, 0.001, 0, SECONDS);

        Compared result = compared(drifting, 2, 1);

        assertThat(result.change()).isCloseTo(0, within(0.005));
        assertThat(result.floor()).isLessThan(0.01);
        assertThat(result.verdict()).isEqualTo(Verdict.NO_DIFFERENCE);
    }

    @Test
    void aDifferenceBelowTheFloorIsNotClaimedHoweverNarrowTheInterval() {
        List<RunSeries> runs = new ArrayList<>();
        double[] levels = {100, 109, 106, 110, 110, 105, 104, 109, 109, 105};
        List<Side> schedule = Schedule.of(2);
        for (int i = 0; i < levels.length; i++) {
            runs.add(steady(schedule.get(i), i, levels[i]));
        }

        Compared result = (Compared) inference(1).compare(Figure.CAPACITY, runs);

        assertThat(result.low()).isPositive();
        assertThat(result.floor()).isGreaterThan(result.change());
        assertThat(result.verdict()).isEqualTo(Verdict.NO_DIFFERENCE);
    }

    @Test
    void lessLatencyIsFaster() {
        SyntheticRuns lower = new SyntheticRuns(0.8, 0, 0.01, 0.05, 0.5, SECONDS);

        FigureResult result =
                inference(1).compare(Figure.LATENCY_P99, lower.of(new SplittableRandom(1), Schedule.of(2)));

        assertThat(((Compared) result).verdict()).isEqualTo(Verdict.FASTER);
    }

    @Test
    void fewSecondsAreNotEnough() {
        SyntheticRuns brief = new SyntheticRuns(2, 0, 0.01, 0.05, 0.5, Inference.MIN_SECONDS - 1);

        FigureResult result = inference(1).compare(Figure.CAPACITY, brief.of(new SplittableRandom(1), Schedule.of(2)));

        assertThat(result)
                .isEqualTo(new NotEnoughData(Figure.CAPACITY, "the shortest run has 2 usable seconds; it takes 3"));
    }

    @Test
    void oneRunOfASideIsNotEnough() {
        SyntheticRuns runs = new SyntheticRuns(2, 0, 0.01, 0.05, 0.5, SECONDS);

        FigureResult result = inference(1)
                .compare(Figure.CAPACITY, runs.of(new SplittableRandom(1), List.of(Side.A, Side.A, Side.A, Side.B)));

        assertThat(result).isEqualTo(new NotEnoughData(Figure.CAPACITY, "B has 1 usable run; it takes 2"));
    }

    @Test
    void theFloorIsTheLargestDifferenceOfTwoRuns() {
        assertThat(Inference.floor(Math.log(104), Math.log(100), Math.log(110))).isCloseTo(0.10, within(1e-9));
    }

    private static RunSeries steady(Side side, int position, double level) {
        RunSeries.Second second = new RunSeries.Second(level, 1);
        return new RunSeries(side, position, List.of(second, second, second, second, second), false);
    }

    private static long trials(SyntheticRuns runs, int rounds, Verdict expected) {
        return IntStream.range(0, TRIALS)
                .filter(seed -> compared(runs, rounds, seed).verdict() == expected)
                .count();
    }

    private static Compared compared(SyntheticRuns runs, int rounds, int seed) {
        List<RunSeries> series = runs.of(new SplittableRandom(seed), Schedule.of(rounds));
        return (Compared) inference(seed).compare(Figure.CAPACITY, series);
    }

    private static Inference inference(int seed) {
        return new Inference(new SplittableRandom(seed + 1_000_003L), REPLICATES);
    }
}
