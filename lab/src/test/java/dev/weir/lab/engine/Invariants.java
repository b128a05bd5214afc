package dev.weir.lab.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.lab.measure.FailureKind;
import dev.weir.lab.measure.Measurement;
import dev.weir.lab.measure.SecondSample;
import java.util.function.ToLongFunction;

/** What holds for every run, whatever the service does. */
final class Invariants {
    private Invariants() {}

    static void hold(Measurement run) {
        assertThat(run.succeeded() + run.failed()).as("succeeded and failed").isEqualTo(run.offered());
        assertThat(run.completedInSchedule()).isLessThanOrEqualTo(run.completed());
        assertThat(run.statuses().values().stream().mapToLong(Long::longValue).sum())
                .isEqualTo(run.completed());
        assertThat(sum(run, SecondSample::offered)).as("offered by second").isEqualTo(run.offered());
        assertThat(sum(run, SecondSample::sent)).as("sent by second").isEqualTo(run.sent());
        assertThat(sum(run, SecondSample::completed)).as("completed by second").isEqualTo(run.completed());
        assertThat(sum(run, SecondSample::failed)).as("failed by second").isEqualTo(run.failed());
        assertThat(run.fromIntended().getTotalCount())
                .as("latencies from the intended time")
                .isEqualTo(run.completed() + of(run, FailureKind.TIMEOUT) + of(run, FailureKind.UNFINISHED));
    }

    private static long of(Measurement run, FailureKind kind) {
        return run.failures().getOrDefault(kind, 0L);
    }

    private static long sum(Measurement run, ToLongFunction<SecondSample> count) {
        return run.seconds().stream().mapToLong(count).sum();
    }
}
