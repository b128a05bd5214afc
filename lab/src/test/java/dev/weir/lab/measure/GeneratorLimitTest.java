package dev.weir.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.weir.lab.measure.GeneratorLimit.Kind;
import org.junit.jupiter.api.Test;

class GeneratorLimitTest {

    @Test
    void believesAnOrdinaryRun() {
        assertThat(GeneratorLimit.of(new SampleRun().measurement(), 1, 50)).isEmpty();
    }

    @Test
    void blamesTheConnectionsWhereRequestsHadToWaitForOne() {
        Measurement run = new SampleRun().lagMicros(20_000).meanInFlight(9.9).measurement();

        assertThat(GeneratorLimit.of(run, 1, 10)).singleElement().satisfies(limit -> {
            assertThat(limit.kind()).isEqualTo(Kind.CONNECTIONS);
            assertThat(limit.sentence()).contains("p99 20.0 ms", "10 connections at 1,000 requests/s");
            assertThat(limit.advice()).contains("-c 20");
        });
    }

    @Test
    void blamesTheGeneratorWhereRequestsWereLateAndConnectionsFree() {
        Measurement run = new SampleRun().lagMicros(20_000).meanInFlight(3).measurement();

        assertThat(GeneratorLimit.of(run, 1, 100))
                .extracting(GeneratorLimit::kind)
                .containsExactly(Kind.SCHEDULE_LAG);
    }

    @Test
    void allowsALagThatTheLatencyDwarfs() {
        Measurement run =
                new SampleRun().lagMicros(4_000).latencyMicros(100_000).measurement();

        assertThat(GeneratorLimit.of(run, 1, 1_000)).isEmpty();
    }

    @Test
    void knowsNoScheduleInAClosedLoop() {
        Measurement run = new SampleRun().ratePerSecond(0).lagMicros(20_000).measurement();

        assertThat(GeneratorLimit.of(run, 1, 10)).isEmpty();
    }

    @Test
    void namesABusyThreadAWaitForTheCpuAndAFullMachine() {
        Measurement run = new SampleRun()
                .busiestThreadShare(0.95)
                .runDelaySeconds(3)
                .machineCpuShare(0.99)
                .measurement();

        assertThat(GeneratorLimit.of(run, 1, 50))
                .extracting(GeneratorLimit::kind)
                .containsExactly(Kind.THREAD, Kind.RUN_DELAY, Kind.MACHINE);
    }

    @Test
    void sharesTheRunDelayAmongTheThreads() {
        Measurement run = new SampleRun().runDelaySeconds(3).measurement();

        assertThat(GeneratorLimit.of(run, 4, 50)).isEmpty();
    }

    @Test
    void doesNotJudgeWhatTheSystemDoesNotTell() {
        Measurement run =
                new SampleRun().runDelaySeconds(-1e-9).machineCpuShare(-1).measurement();

        assertThat(GeneratorLimit.of(run, 1, 50)).isEmpty();
    }

    @Test
    void computesErlangsC() {
        // M/M/1 waits with probability rho; the other value is 0.5^2/2/(1-0.25) / (1 + 0.5 + 0.5^2/2/(1-0.25)).
        assertThat(GeneratorLimit.waitProbability(0.7, 1)).isCloseTo(0.7, within(1e-12));
        assertThat(GeneratorLimit.waitProbability(0.5, 2)).isCloseTo(0.1, within(1e-12));
        assertThat(GeneratorLimit.waitProbability(0, 5)).isZero();
        assertThat(GeneratorLimit.waitProbability(5, 5)).isEqualTo(1);
        assertThat(GeneratorLimit.waitProbability(900, 1_000)).isBetween(0.0, 0.01);
    }
}
