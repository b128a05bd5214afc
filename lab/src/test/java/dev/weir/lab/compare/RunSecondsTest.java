package dev.weir.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.lab.compare.RunSeries.Second;
import dev.weir.lab.measure.GeneratorCost;
import dev.weir.lab.measure.Measurement;
import dev.weir.lab.measure.SecondSample;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class RunSecondsTest {

    @Test
    void theFirstSecondAndTheCutOneDoNotCount() {
        Measurement run = run(second(0, 10, 0, 1), second(1, 100, 0, 1), second(2, 110, 0, 1), second(3, 5, 0, 1));

        assertThat(RunSeconds.capacity(run)).containsExactly(new Second(100, 1), new Second(110, 1));
    }

    @Test
    void aFailedAnswerIsNoCapacity() {
        Measurement run = run(second(0, 10, 0, 1), second(1, 100, 30, 1), second(2, 10, 30, 1));

        assertThat(RunSeconds.capacity(run)).containsExactly(new Second(70, 1), new Second(0, 1));
    }

    @Test
    void aSecondWithoutAnAnswerHasNoLatency() {
        Measurement run = run(second(0, 1, 0, 1), second(1, 1, 0, 2_000_000), second(2, 0, 5, 0));

        assertThat(RunSeconds.latency(run, SecondSample::p50Nanos)).containsExactly(new Second(2, 1));
    }

    @Test
    void cpuIsWhatWasSpentFromOneReadingToTheNext() {
        Measurement run = run(second(0, 50, 0, 1), second(1, 100, 0, 1), second(2, 200, 0, 1));
        Map<Integer, Duration> cpu =
                Map.of(0, Duration.ofMillis(7), 1, Duration.ofMillis(17), 2, Duration.ofMillis(47));

        assertThat(RunSeconds.cpu(run, cpu)).containsExactly(new Second(10_000, 100), new Second(30_000, 200));
    }

    @Test
    void aMissingReadingJoinsItsSecondToTheNext() {
        Measurement run = run(second(0, 50, 0, 1), second(1, 100, 0, 1), second(2, 200, 0, 1));
        Map<Integer, Duration> cpu = Map.of(0, Duration.ofMillis(7), 2, Duration.ofMillis(47));

        assertThat(RunSeconds.cpu(run, cpu)).containsExactly(new Second(40_000, 300));
    }

    private static SecondSample second(int second, long completed, long failed, long nanos) {
        return new SecondSample(second, completed, completed, completed, failed, 1, nanos, nanos);
    }

    private static Measurement run(SecondSample... seconds) {
        Histogram none = new Histogram(2);
        return new Measurement(
                Duration.ofSeconds(3),
                0,
                0,
                0,
                0,
                0,
                0,
                Map.of(),
                Map.of(),
                Map.of(),
                0,
                0,
                0,
                none,
                none,
                none,
                List.of(seconds),
                new GeneratorCost(0, 0, -1, -1, 1));
    }
}
