package dev.weir.lab.compare;

import dev.weir.lab.compare.RunSeries.Second;
import dev.weir.lab.measure.Measurement;
import dev.weir.lab.measure.SecondSample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * Takes from measurements the seconds that count: whole ones, the first left out, in which connections are made and the
 * queue fills.
 */
final class RunSeconds {

    /** Successful answers a second. */
    static List<Second> capacity(Measurement closedLoop) {
        return usable(closedLoop)
                .map(second -> new Second(Math.max(0, second.completed() - second.failed()), 1))
                .toList();
    }

    /**
     * A percentile of latency second by second. Seconds without any answer have none and are left out; their requests
     * show as failed.
     */
    static List<Second> latency(Measurement atRate, ToLongFunction<SecondSample> nanos) {
        return usable(atRate)
                .filter(second -> nanos.applyAsLong(second) > 0)
                .map(second -> new Second(nanos.applyAsLong(second) / 1e6, 1))
                .toList();
    }

    /**
     * CPU time in microseconds over the requests completed.
     *
     * @param cpu total CPU time of the service at the end of each second of the run
     */
    static List<Second> cpu(Measurement atRate, Map<Integer, Duration> cpu) {
        List<Second> seconds = new ArrayList<>();
        usable(atRate).forEach(second -> {
            Duration before = cpu.get(second.second() - 1);
            Duration after = cpu.get(second.second());
            if (before != null && after != null && second.completed() > 0) {
                seconds.add(new Second(after.minus(before).toNanos() / 1e3, second.completed()));
            }
        });
        return List.copyOf(seconds);
    }

    private static Stream<SecondSample> usable(Measurement run) {
        long whole = run.duration().plusMillis(50).toSeconds();
        return run.seconds().stream().filter(second -> second.second() > 0 && second.second() < whole);
    }

    private RunSeconds() {}
}
