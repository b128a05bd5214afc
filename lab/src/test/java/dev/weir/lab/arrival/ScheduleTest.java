package dev.weir.lab.arrival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.weir.lab.plan.Load;
import java.time.Duration;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ScheduleTest {
    private static final Duration LONG = Duration.ofSeconds(100);

    @Test
    void evenArrivalsAreDealtOutInTurn() {
        Load load = Load.constant(1_000, Duration.ofMillis(6));

        assertThat(times(load, 0, 3)).containsExactly(0, 3_000_000);
        assertThat(times(load, 1, 3)).containsExactly(1_000_000, 4_000_000);
        assertThat(times(load, 2, 3)).containsExactly(2_000_000, 5_000_000);
    }

    @Test
    void evenArrivalsDoNotDrift() {
        Load load = Load.constant(3, Duration.ofHours(1));

        assertThat(times(load, 0, 1)).hasSize(10_800).endsWith(3_599_666_666_666L);
    }

    @Test
    void randomArrivalsHaveTheRateAndTheSpreadOfAPoissonStream() {
        long[] gaps = gaps(times(Load.poisson(1_000, LONG, 7), 0, 1));
        double mean = LongStream.of(gaps).average().orElseThrow();
        double variance = LongStream.of(gaps)
                .mapToDouble(gap -> (gap - mean) * (gap - mean))
                .average()
                .orElseThrow();

        assertThat(mean).isCloseTo(1e6, within(1.5e4));
        assertThat(Math.sqrt(variance) / mean).isCloseTo(1, within(0.02));
    }

    @Test
    void randomArrivalsOfAllThreadsHaveTheRateTogether() {
        Load load = Load.poisson(1_000, LONG, 7);

        long all =
                IntStream.range(0, 4).mapToLong(i -> times(load, i, 4).length).sum();

        assertThat((double) all).isCloseTo(100_000, within(1_500.0));
    }

    @Test
    void theSameSeedGivesTheSameTimesAndEachThreadItsOwn() {
        Load load = Load.poisson(100, LONG, 7);

        assertThat(times(load, 1, 2)).isEqualTo(times(load, 1, 2)).isNotEqualTo(times(load, 0, 2));
        assertThat(times(Load.poisson(100, LONG, 8), 1, 2)).isNotEqualTo(times(load, 1, 2));
    }

    @Test
    void aBoundOnRequestsHoldsForAllThreadsTogether() {
        for (Load.Mode mode : new Load.Mode[] {Load.Mode.CONSTANT, Load.Mode.POISSON}) {
            Load load = new Load(mode, 1_000, LONG, 11, 1);

            long all = IntStream.range(0, 3)
                    .mapToLong(i -> times(load, i, 3).length)
                    .sum();

            assertThat(all).as(mode.name()).isEqualTo(11);
        }
    }

    @Test
    void staysAtItsEnd() {
        Schedule schedule = Schedule.of(Load.poisson(1_000, Duration.ofMillis(1), 1), 0, 1);
        LongStream.generate(schedule::nextNanos)
                .takeWhile(time -> time != Schedule.END)
                .forEach(time -> {});

        assertThat(schedule.nextNanos()).isEqualTo(Schedule.END);
    }

    @Test
    void aClosedLoopHasNone() {
        assertThatIllegalArgumentException().isThrownBy(() -> Schedule.of(Load.closed(LONG), 0, 1));
    }

    private static long[] times(Load load, int thread, int threads) {
        Schedule schedule = Schedule.of(load, thread, threads);
        return LongStream.generate(schedule::nextNanos)
                .takeWhile(time -> time != Schedule.END)
                .toArray();
    }

    private static long[] gaps(long[] times) {
        return IntStream.range(1, times.length)
                .mapToLong(i -> times[i] - times[i - 1])
                .toArray();
    }
}
