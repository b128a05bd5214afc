package dev.weir.lab.engine;

import dev.weir.lab.measure.LatencyBuckets;
import dev.weir.lab.measure.SecondSample;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One engine thread's counts of one second of a run. Written by that thread, read by others through its recorder. */
final class Second {
    long offered;
    long sent;
    long completed;
    long failed;
    /** Nanoseconds spent in flight, summed over requests. */
    long inFlightNanos;

    final LatencyBuckets fromIntended = new LatencyBuckets();

    /** The sum over the threads' parts of one second; absent parts count as nothing. */
    static SecondSample sum(int index, List<@Nullable Second> parts, long lengthNanos) {
        Second sum = new Second();
        parts.stream().filter(Objects::nonNull).forEach(sum::add);
        return new SecondSample(
                index,
                sum.offered,
                sum.sent,
                sum.completed,
                sum.failed,
                (double) sum.inFlightNanos / lengthNanos,
                sum.fromIntended.quantileNanos(0.5),
                sum.fromIntended.quantileNanos(0.99));
    }

    private void add(Second other) {
        offered += other.offered;
        sent += other.sent;
        completed += other.completed;
        failed += other.failed;
        inFlightNanos += other.inFlightNanos;
        fromIntended.add(other.fromIntended);
    }
}
