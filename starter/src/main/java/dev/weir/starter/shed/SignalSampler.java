package dev.weir.starter.shed;

import com.sun.management.OperatingSystemMXBean;
import dev.weir.core.publish.BatchingPublisher;
import dev.weir.core.shed.Admission;
import dev.weir.core.shed.Priority;
import dev.weir.core.shed.Signals;
import java.lang.management.ManagementFactory;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the admission every second what the service knows beyond latencies. The wait for a pooled connection is a mean by
 * Little's law: threads that wait, sampled ten times a second, by requests admitted a second.
 */
final class SignalSampler implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SignalSampler.class);
    private static final int SAMPLES = 10;
    private static final int PERIOD_MILLIS = 100;
    private static final double MILLIS_PER_SECOND = 1000;

    /** Of each second's load: about three seconds of smoothing. */
    private static final double CPU_WEIGHT = 0.3;

    private final Admission admission;
    private final IntSupplier waiting;
    private final DoubleSupplier fullness;
    private final DoubleSupplier cpu;
    private final AtomicBoolean failureLogged = new AtomicBoolean();
    private @Nullable ScheduledExecutorService timer;
    private int samples;
    private long waitingSum;
    private long admittedBefore;
    private double smoothedCpu;

    /**
     * @param waiting threads that wait for a pooled connection
     * @param fullness of the publisher, 0 to 1
     * @param cpu share in use of what this process may use, 0 to 1, below 0 while not known
     */
    SignalSampler(Admission admission, IntSupplier waiting, DoubleSupplier fullness, DoubleSupplier cpu) {
        this.admission = admission;
        this.waiting = waiting;
        this.fullness = fullness;
        this.cpu = cpu;
    }

    static DoubleSupplier cpuOfContainer() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                ? system::getCpuLoad
                : () -> -1;
    }

    static DoubleSupplier fullnessOf(@Nullable BatchingPublisher publisher) {
        return publisher == null ? () -> 0 : publisher::pressure;
    }

    /** Samples from now on, in a thread of its own, until closed. */
    SignalSampler start() {
        ScheduledExecutorService own = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("weir-shed-signals").factory());
        timer = own;
        var ignored = own.scheduleWithFixedDelay(this::guarded, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
        return this;
    }

    private void guarded() {
        try {
            sample();
        } catch (RuntimeException e) {
            if (failureLogged.compareAndSet(false, true)) {
                LOG.warn("weir.shed: a signal could not be read; further failures are not logged", e);
            }
        }
    }

    /** One of ten; the last of them tells the admission. */
    void sample() {
        waitingSum += waiting.getAsInt();
        if (++samples < SAMPLES) {
            return;
        }
        double load = cpu.getAsDouble();
        if (load >= 0) {
            smoothedCpu += CPU_WEIGHT * (Math.min(load, 1) - smoothedCpu);
        }
        long admitted = 0;
        for (Priority priority : Priority.values()) {
            admitted += admission.admitted(priority);
        }
        double perSecond = Math.max(1, admitted - admittedBefore);
        double waitMillis = MILLIS_PER_SECOND * waitingSum / SAMPLES / perSecond;
        admittedBefore = admitted;
        samples = 0;
        waitingSum = 0;
        admission.signals(new Signals(waitMillis, Math.clamp(fullness.getAsDouble(), 0.0, 1.0), smoothedCpu));
    }

    @Override
    public void close() {
        ScheduledExecutorService own = timer;
        if (own != null) {
            own.shutdownNow();
        }
    }
}
