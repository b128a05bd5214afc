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
     * CPU time in microseconds over the requests completed. Where a reading is missing, the seconds up to the next one
     * count as one.
     *
     * @param cpu total CPU time of the service at the end of a second of the run, for most of them
     */
    static List<Second> cpu(Measurement atRate, Map<Integer, Duration> cpu) {
        List<Second> seconds = new ArrayList<>();
        Duration before = cpu.get(0);
        long completed = 0;
        for (SecondSample second : usable(atRate).toList()) {
            completed += second.completed();
            Duration now = cpu.get(second.second());
            if (before != null && now != null && completed > 0) {
                seconds.add(new Second(now.minus(before).toNanos() / 1e3, completed));
            }
            if (now != null) {
                before = now;
                completed = 0;
            }
        }
        return List.copyOf(seconds);
    }

    /** The last second that counts, from 0. */
    static int last(Measurement run) {
        return (int) wholeSeconds(run) - 1;
    }

    private static long wholeSeconds(Measurement run) {
        return run.duration().plusMillis(50).toSeconds();
    }

    private static Stream<SecondSample> usable(Measurement run) {
        long whole = wholeSeconds(run);
        return run.seconds().stream().filter(second -> second.second() > 0 && second.second() < whole);
    }

    private RunSeconds() {}
}
