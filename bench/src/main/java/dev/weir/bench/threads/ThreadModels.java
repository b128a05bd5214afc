package dev.weir.bench.threads;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * How many tasks a second that each wait 10 ms (simulated I/O) do three thread models carry? Command:
 * bench/thread-models. One operation is one task; a batch of {@value #TASKS} is handed over at once and waited for.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 5, time = 5)
@Fork(3)
public class ThreadModels {

    static final int TASKS = 10_000;
    private static final long IO_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** Who runs the tasks. */
    public enum Model {
        PLATFORM_200,
        BOUNDED_ELASTIC,
        VIRTUAL
    }

    @Param
    Model model = Model.PLATFORM_200;

    private @Nullable ExecutorService threads;
    private @Nullable Scheduler scheduler;
    private Executor executor = Runnable::run;

    @Setup(Level.Trial)
    public void start() {
        switch (model) {
            case PLATFORM_200 -> use(Executors.newFixedThreadPool(200));
            case VIRTUAL -> use(Executors.newVirtualThreadPerTaskExecutor());
            // Reactor's own: ten threads a core, as Schedulers.boundedElastic().
            case BOUNDED_ELASTIC -> {
                Scheduler elastic = Schedulers.newBoundedElastic(
                        Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE,
                        Schedulers.DEFAULT_BOUNDED_ELASTIC_QUEUESIZE,
                        "bounded-elastic");
                scheduler = elastic;
                executor = elastic::schedule;
            }
        }
    }

    private void use(ExecutorService service) {
        threads = service;
        executor = service;
    }

    @TearDown(Level.Trial)
    public void stop() {
        if (threads != null) {
            threads.shutdownNow();
        }
        if (scheduler != null) {
            scheduler.dispose();
        }
    }

    @Benchmark
    @OperationsPerInvocation(TASKS)
    public void batch() throws InterruptedException {
        var done = new CountDownLatch(TASKS);
        for (int i = 0; i < TASKS; i++) {
            executor.execute(() -> {
                waitForSimulatedIo();
                done.countDown();
            });
        }
        done.await();
    }

    private static void waitForSimulatedIo() {
        long end = System.nanoTime() + IO_NANOS;
        for (long left = IO_NANOS; left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
