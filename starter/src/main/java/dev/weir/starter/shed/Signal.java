package dev.weir.starter.shed;

import dev.weir.core.time.NanoClock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One number from outside that may fail. It is 0, which changes nothing, while it cannot be read. One thread reads, another asks; a
 * reading that hangs shows in that nothing new comes.
 */
final class Signal {

    private static final Logger LOG = LoggerFactory.getLogger(Signal.class);
    private static final long HOLDS_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final String name;
    private final DoubleSupplier source;
    private final NanoClock clock;
    private final LongAdder failures = new LongAdder();
    private final AtomicBoolean failureLogged = new AtomicBoolean();
    private volatile Reading last;

    private record Reading(double value, long atNanos) {}

    Signal(String name, DoubleSupplier source, NanoClock clock) {
        this.name = name;
        this.source = source;
        this.clock = clock;
        this.last = new Reading(0, clock.nanoTime());
    }

    String name() {
        return name;
    }

    /** How often it could not be read, and how often it was asked for while a reading hung. */
    long failures() {
        return failures.sum();
    }

    /** Reads it now; neither throws nor lets an error through that would end the sampling. */
    void read() {
        guarded(() -> {
            double value = source.getAsDouble();
            if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
                throw new IllegalStateException("it answered " + value);
            }
            last = new Reading(value, clock.nanoTime());
        });
    }

    /** Runs a part of a reading; where it fails the signal is 0 and the failure is counted. */
    void guarded(Runnable part) {
        try {
            part.run();
        } catch (RuntimeException | Error e) {
            last = new Reading(0, clock.nanoTime());
            failed(e.toString());
        }
    }

    /** The last reading; 0 where that failed or is long ago. */
    double value() {
        Reading reading = last;
        if (clock.nanoTime() - reading.atNanos() <= HOLDS_NANOS) {
            return reading.value();
        }
        failed("nothing was read for 3 s");
        return 0;
    }

    private void failed(String why) {
        failures.increment();
        if (failureLogged.compareAndSet(false, true)) {
            LOG.warn("weir.shed: the signal {} says nothing: {}; further failures are only counted", name, why);
        }
    }
}
