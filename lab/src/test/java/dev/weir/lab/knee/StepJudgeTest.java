package dev.weir.lab.knee;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.lab.knee.Capacity.Limit;
import dev.weir.lab.knee.Slo.LatencyBound;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StepJudgeTest {
    private static final Slo P99_BELOW_100_MS = new Slo(List.of(new LatencyBound(99, 100)), 0.001);
    private final StepJudge judge = new StepJudge(P99_BELOW_100_MS, 20);

    @Test
    void passesAStepWhoseAnswersKeepUp() {
        Judgement judgement = judge.judge(step(100, seconds(10, 100, 100), 0, 0, 30));

        assertThat(judgement.passed()).isTrue();
        assertThat(judgement.limit()).isNull();
        assertThat(judgement.reasons()).isEmpty();
    }

    @Test
    void namesThePlateauWhereTheBacklogGrows() {
        Judgement judgement = judge.judge(step(500, seconds(10, 500, 400), 0, 0, 1500));

        assertThat(judgement.limit()).isEqualTo(Limit.PLATEAU);
        assertThat(judgement.decisive()).isTrue();
        assertThat(judgement.reasons()).anyMatch(reason -> reason.contains("behind arrivals"));
        assertThat(requireNonNull(judgement.throughput()).perSecond()).isEqualTo(400);
    }

    @Test
    void doesNotTakeARandomWalkForGrowth() {
        int growing = 0;
        for (int seed = 1; seed <= 200; seed++) {
            growing += Backlog.of(atCapacity(400, 20, new Random(seed)), 20).growsDecisively() ? 1 : 0;
        }

        assertThat(growing).isLessThanOrEqualTo(2);
    }

    @Test
    void forgivesAFreezeThatIsWorkedOff() {
        List<StepSecond> seconds = new ArrayList<>(seconds(3, 300, 300));
        seconds.add(new StepSecond(300, 0, 0));
        seconds.addAll(seconds(3, 300, 400));
        seconds.addAll(seconds(3, 300, 300));

        assertThat(Backlog.of(seconds, 20).grows()).isFalse();
    }

    @Test
    void namesTheObjectiveWhereOnlyThePercentileBreaks() {
        Judgement judgement = judge.judge(step(100, seconds(10, 100, 100), 0, 0, 150));

        assertThat(judgement.limit()).isEqualTo(Limit.SLO);
        assertThat(judgement.reasons()).singleElement().asString().contains("p99 was 150.0 ms");
        assertThat(judgement.headroom()).isEqualTo(100.0 / 150);
    }

    @Test
    void namesErrorsWhereRequestsAreRefused() {
        Judgement judgement = judge.judge(step(100, seconds(10, 100, 100), 0, 50, 30));

        assertThat(judgement.limit()).isEqualTo(Limit.ERRORS);
    }

    @Test
    void forgivesOneStrayError() {
        assertThat(judge.judge(step(100, seconds(10, 100, 100), 0, 1, 30)).passed())
                .isTrue();
    }

    @Test
    void doesNotBlameTheServiceForTheGenerator() {
        StepObservation step = new StepObservation(
                100, seconds(5, 50, 50), 250, 0, 0, percentile -> 500, 1, 1, true, true, Duration.ofSeconds(5));

        assertThat(judge.judge(step).limit()).isEqualTo(Limit.GENERATOR);
    }

    @Test
    void seesByLittlesLawThatAStepWasNotStationary() {
        StepObservation step = new StepObservation(
                100, seconds(5, 100, 100), 500, 0, 0, percentile -> 50, 40, 2, false, true, Duration.ofSeconds(5));

        assertThat(StepJudge.stationary(step)).isFalse();
    }

    @Test
    void boundsAShareFromBelow() {
        assertThat(StepJudge.lowerBound(0, 1000)).isZero();
        assertThat(StepJudge.lowerBound(0, 0)).isZero();
        assertThat(StepJudge.lowerBound(10, 1000)).isBetween(0.005, 0.0065);
    }

    private static List<StepSecond> seconds(int count, double offered, double answered) {
        return Collections.nCopies(count, new StepSecond(offered, answered, answered));
    }

    /** A service at exactly its capacity: arrivals and completions are both random and equal in the mean. */
    private static List<StepSecond> atCapacity(double rate, int seconds, Random random) {
        List<StepSecond> all = new ArrayList<>();
        double backlog = 0;
        for (int i = 0; i < seconds; i++) {
            double offered = rate + Math.sqrt(rate) * random.nextGaussian();
            double possible = rate + Math.sqrt(rate) * random.nextGaussian();
            double answered = Math.min(backlog + offered, possible);
            backlog += offered - answered;
            all.add(new StepSecond(offered, answered, answered));
        }
        return all;
    }

    private static StepObservation step(
            double rate, List<StepSecond> seconds, long slow, long hard, double millisAtEveryPercentile) {
        return new StepObservation(
                rate,
                seconds,
                (long) (rate * seconds.size()),
                slow,
                hard,
                percentile -> millisAtEveryPercentile,
                rate * 0.02,
                1,
                false,
                true,
                Duration.ofSeconds(seconds.size()));
    }
}
