package dev.weir.starter.shed;

import com.sun.management.OperatingSystemMXBean;
import dev.weir.core.publish.BatchingPublisher;
import dev.weir.core.shed.Admission;
import dev.weir.core.shed.Signals;
import dev.weir.core.time.NanoClock;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells the admission every second what the service knows beyond latencies. Each signal is read by itself: one that throws, answers
 * nonsense or hangs counts as a failure, says nothing, and keeps no other from being heard.
 */
final class SignalSampler implements AutoCloseable {

    private static final int POOL_SAMPLES = 10;
    private static final int PERIOD_MILLIS = 1_000;
    private static final int POOL_PERIOD_MILLIS = PERIOD_MILLIS / POOL_SAMPLES;

    /** Of each second's load: about three seconds of smoothing. */
    private static final double CPU_WEIGHT = 0.3;

    private final Admission admission;
    private final Signal pool;
    private final Signal publisher;
    private final Signal cpu;
    private final PoolWait poolWait;
    private final IntSupplier waiting;
    private @Nullable ScheduledExecutorService timer;
    private double smoothedCpu;

    /**
     * @param waiting threads that wait for a pooled connection
     * @param fullness of the publisher, 0 to 1
     * @param load share in use of the CPUs that this process may use, 0 to 1, below 0 while not known
     */
    SignalSampler(
            Admission admission, IntSupplier waiting, DoubleSupplier fullness, DoubleSupplier load, NanoClock clock) {
        this.admission = admission;
        this.waiting = waiting;
        this.poolWait = new PoolWait(admission, clock.nanoTime());
        this.pool = new Signal("pool", () -> poolWait.millis(clock.nanoTime()), clock);
        this.publisher = new Signal("publisher", () -> Math.clamp(fullness.getAsDouble(), 0, 1), clock);
        this.cpu = new Signal("cpu", () -> smoothed(load.getAsDouble()), clock);
    }

    static DoubleSupplier cpuOfContainer() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                ? system::getCpuLoad
                : () -> -1;
    }

    static DoubleSupplier fullnessOf(@Nullable BatchingPublisher publisher) {
        return publisher == null ? () -> 0 : publisher::pressure;
    }

    List<Signal> signals() {
        return List.of(pool, publisher, cpu);
    }

    /** Samples from now on, each signal in a thread of its own, until closed. */
    SignalSampler start() {
        ScheduledExecutorService own = Executors.newScheduledThreadPool(
                signals().size() + 1,
                Thread.ofPlatform().daemon().name("weir-shed-signals-", 0).factory());
        timer = own;
        every(own, POOL_PERIOD_MILLIS, this::samplePool);
        every(own, PERIOD_MILLIS, publisher::read);
        every(own, PERIOD_MILLIS, cpu::read);
        every(own, PERIOD_MILLIS, this::tell);
        return this;
    }

    private static void every(ScheduledExecutorService own, int periodMillis, Runnable what) {
        var ignored = own.scheduleWithFixedDelay(what, periodMillis, periodMillis, TimeUnit.MILLISECONDS);
    }

    /** One of ten; the last of them makes a reading. */
    void samplePool() {
        pool.guarded(() -> poolWait.sample(waiting.getAsInt()));
        if (poolWait.samples() >= POOL_SAMPLES) {
            pool.read();
        }
    }

    private double smoothed(double load) {
        if (load >= 0) {
            smoothedCpu += CPU_WEIGHT * (Math.min(load, 1) - smoothedCpu);
        }
        return Double.isNaN(load) ? load : smoothedCpu;
    }

    /** Tells the admission what was read lately. */
    void tell() {
        admission.signals(new Signals(pool.value(), publisher.value(), cpu.value()));
    }

    @Override
    public void close() {
        ScheduledExecutorService own = timer;
        if (own != null) {
            own.shutdownNow();
        }
    }
}
