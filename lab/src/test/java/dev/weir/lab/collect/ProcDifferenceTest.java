package dev.weir.lab.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.weir.lab.collect.ProcDifference.ProcessUse;
import dev.weir.lab.collect.ServiceSample.ThreadUse;
import dev.weir.lab.host.Cgroup;
import dev.weir.lab.host.CpuTimes;
import dev.weir.lab.host.ProcessReading;
import dev.weir.lab.host.ProcessReading.ThreadReading;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ProcDifferenceTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void dividesWhatWasUsedByTheWindow() {
        ProcSnapshot begin = snapshot(
                0,
                reading(SECOND, Map.of(1L, new ThreadReading("old", SECOND, 100), 2L, new ThreadReading("gone", 5, 5))),
                new CpuTimes(1_000, 500, 0),
                new Cgroup(1.5, 0, null));
        ProcSnapshot end = snapshot(
                2 * SECOND,
                reading(
                        4 * SECOND,
                        Map.of(
                                1L, new ThreadReading("old", 2 * SECOND, SECOND + 100),
                                3L, new ThreadReading("new", SECOND / 2, SECOND))),
                new CpuTimes(1_400, 800, 40),
                new Cgroup(1.5, SECOND, null));
        ProcDifference difference = new ProcDifference(begin, end, 4);
        assertThat(difference.window()).isEqualTo(Duration.ofSeconds(2));
        assertThat(difference.cpuCores()).isEqualTo(1.5);
        assertThat(difference.runDelayShare()).isEqualTo(1.0, within(1e-9));
        assertThat(difference.busiestThread()).isEqualTo(new ThreadUse("old", 0.5, 0.5));
        assertThat(difference.threads()).isEqualTo(2);
        assertThat(difference.machineCpuShare()).isEqualTo(0.75);
        assertThat(difference.stolenShare()).isEqualTo(0.1);
        assertThat(difference.cpuThrottledShare()).isEqualTo(0.5);
        assertThat(difference.cpuLimitCores()).isEqualTo(1.5);
        assertThat(difference.openFilesShare()).isEqualTo(0.25);
    }

    @Test
    void leavesOutTheJvmsOwnThreadsAndWhatTheSystemDoesNotTell() {
        CpuTimes machine = new CpuTimes(1, 1, 0);
        Cgroup free = new Cgroup(null, 0, null);
        ProcDifference difference = new ProcDifference(
                snapshot(0, reading(0, Map.of()), machine, free),
                snapshot(
                        SECOND,
                        reading(
                                SECOND,
                                Map.of(
                                        1L, new ThreadReading("C2 CompilerThre", SECOND, -1),
                                        2L, new ThreadReading("event-loop", SECOND / 2, -1))),
                        machine,
                        free),
                4);
        assertThat(difference.busiestThread()).isEqualTo(new ThreadUse("event-loop", 0.5, null));
        assertThat(difference.runDelayShare()).isNull();
    }

    @Test
    void namesTheBusiestOtherProcesses() {
        ProcDifference difference = new ProcDifference(
                all(0, Map.of(1L, SECOND, 2L, SECOND, 3L, SECOND, 4L, SECOND)),
                all(
                        2 * SECOND,
                        Map.of(1L, 3 * SECOND, 2L, 2 * SECOND, 3L, SECOND + SECOND / 100, 4L, 9 * SECOND, 5L, SECOND)),
                4);
        assertThat(difference.busiestProcesses(2, Set.of(4L)))
                .containsExactly(new ProcessUse(1, 1.0), new ProcessUse(2, 0.5));
        assertThat(difference.busiestProcesses(9, Set.of(4L)))
                .extracting(ProcessUse::pid)
                .containsExactly(1L, 2L, 5L);
    }

    private static ProcSnapshot all(long atNanos, Map<Long, Long> cpuNanos) {
        return new ProcSnapshot(atNanos, Optional.empty(), Optional.empty(), Optional.empty(), cpuNanos);
    }

    @Test
    void saysNothingOfAProcessThatIsGone() {
        ProcDifference difference = new ProcDifference(
                snapshot(0, reading(SECOND, Map.of()), new CpuTimes(1, 1, 0), new Cgroup(null, 0, null)),
                new ProcSnapshot(SECOND, Optional.empty(), Optional.empty(), Optional.empty(), Map.of()),
                4);
        assertThat(difference.alive()).isFalse();
        assertThat(difference.cpuCores()).isNull();
        assertThat(difference.machineCpuShare()).isNull();
        assertThat(difference.busiestThread()).isNull();
        assertThat(difference.cpuLimitCores()).isEqualTo(4);
    }

    private static ProcSnapshot snapshot(long atNanos, ProcessReading process, CpuTimes machine, Cgroup cgroup) {
        return new ProcSnapshot(atNanos, Optional.of(process), Optional.of(machine), Optional.of(cgroup), Map.of());
    }

    private static ProcessReading reading(long cpuNanos, Map<Long, ThreadReading> threads) {
        return new ProcessReading(cpuNanos, threads, 256, 1_024);
    }
}
