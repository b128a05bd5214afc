package dev.weir.core.shed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PartsTest {

    @Test
    void percentilesAreThoseOfTheValuesWithinABucket() {
        var latencies = new Latencies();
        var random = new Random(1);
        long[] values = new long[10_000];
        for (int i = 0; i < values.length; i++) {
            values[i] = (long) (1e6 * Math.exp(random.nextGaussian()));
            latencies.record(values[i]);
        }
        latencies.drain();
        Arrays.sort(values);
        assertThat(latencies.percentile(0.5)).isCloseTo((double) values[5_000], within(values[5_000] * 0.04));
        assertThat(latencies.percentile(0.9)).isCloseTo((double) values[9_000], within(values[9_000] * 0.04));
        latencies.reset();
        assertThat(latencies.percentile(0.5)).isZero();
    }

    @Test
    void latenciesOutOfRangeAreKept() {
        var latencies = new Latencies();
        latencies.record(-1);
        latencies.record(Long.MAX_VALUE);
        latencies.drain();
        assertThat(latencies.count()).isEqualTo(2);
    }

    @Test
    void aGateClosesToWhatIsAdmittedAndOpensWithinASecondWhenThereIsRoom() {
        var gate = new CohortGate();
        for (int i = 0; i < 20; i++) {
            long arrives = Math.round(1_000 * gate.open());
            gate.window(Math.min(arrives, 300), Math.max(0, arrives - 300), 0, 100);
        }
        assertThat(gate.open()).isBetween(0.3, 0.7);
        for (int i = 0; i < 10; i++) {
            gate.window(Math.round(1_000 * gate.open()), 0, 0, 100);
        }
        assertThat(gate.open()).isEqualTo(1);
    }

    @Test
    void theSameCallersAreRefusedWhileAGateStandsStill() {
        var door = new Door(1, 1, 1, Door.ALL_COHORTS / 4);
        Set<Long> admitted = new HashSet<>();
        for (long key = 0; key < 10_000; key++) {
            if (door.opensFor(key, 5)) {
                admitted.add(key);
            }
            assertThat(door.opensFor(key, 5)).isEqualTo(admitted.contains(key));
        }
        assertThat(admitted).hasSizeBetween(2_300, 2_700);
    }

    @Test
    void samplingTakesItsShareEvenly() {
        var doors = new Doors(door(), door(), door(), 0, Doors.SAMPLE_ALL / 64);
        int sampled = 0;
        for (long number = 0; number < 64_000; number++) {
            sampled += doors.samples(number) ? 1 : 0;
        }
        assertThat(sampled).isBetween(990, 1_010);
    }

    private static Door door() {
        return new Door(1, 1, 1, Door.ALL_COHORTS);
    }

    @Test
    void retryAfterIsTheTimeToServeWhoIsAtTheDoorWithinBounds() {
        var drain = new Drain(Duration.ofSeconds(1), Duration.ofSeconds(30));
        assertThat(drain.millis(100, 100, 200, 100)).isEqualTo(4_000);
        assertThat(drain.millis(1, 0, 0, 1_000)).isEqualTo(1_000);
        assertThat(drain.millis(1_000_000, 0, 0, 0)).isEqualTo(10_000);
        for (long number = 0; number < 1_000; number++) {
            assertThat(drain.jittered(10_000, number)).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(30));
        }
    }

    @Test
    void aFloodOfCallersTakesBoundedMemoryAndFreesNoHeavyCaller() {
        var quota = new CallerQuota(new QuotaConfig(1, 5, 1_000));
        int heavy = 0;
        for (long key = 0; key < 200_000; key++) {
            quota.take(key + 10, 0);
            heavy += key % 20 == 0 && quota.take(1, 0) ? 1 : 0;
        }
        assertThat(quota.remembered()).isLessThanOrEqualTo(1_000);
        assertThat(heavy).isLessThan(100);
    }

    @Test
    void stagesComeInOrderAndLeaveOnlyAfterAWhile() {
        var pressure = new Pressure();
        Set<Stage> seen = new HashSet<>();
        Stage last = Stage.NORMAL;
        for (double occupancy = 0; occupancy <= 1; occupancy += 0.01) {
            pressure.window(0.1, occupancy, 0, false);
            assertThat(pressure.stage()).isGreaterThanOrEqualTo(last);
            last = pressure.stage();
            seen.add(last);
        }
        assertThat(seen)
                .containsExactlyInAnyOrder(
                        Stage.NORMAL, Stage.DROP_BEST_EFFORT, Stage.DEFER_TO_OUTBOX, Stage.SERVE_STALE);
        pressure.window(0.1, 1, 0, true);
        assertThat(pressure.stage().includes(Stage.SERVE_STALE)).isTrue();
        assertThat(pressure.stage()).isEqualTo(Stage.REFUSE_LOW);
        pressure.window(0.1, 0, 0, false);
        assertThat(pressure.stage()).isEqualTo(Stage.REFUSE_LOW);
        for (int i = 0; i < 50; i++) {
            pressure.window(0.1, 0, 0, false);
        }
        assertThat(pressure.stage()).isEqualTo(Stage.NORMAL);
    }

    @Test
    void keysOfTheSameNameAreEqualAndOfAnotherProcessNot() {
        var keys = new CallerKeys(new Random(1));
        assertThat(keys.of("anna")).isEqualTo(keys.of("anna")).isNotEqualTo(keys.of("bert"));
        assertThat(new CallerKeys(new Random(2)).of("anna")).isNotEqualTo(keys.of("anna"));
    }
}
