package dev.weir.lab.collect;

import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Samples a JVM on a thread of its own while a window is open.
 *
 * <p>Calls to the JVM may block without bound when it hangs or stops. So they all happen on one daemon thread, which alone
 * touches the window; who begins and ends windows only hands it tasks and waits a bounded time for the answer. While the
 * thread is stuck, windows end without an answer, and the tasks of dead windows do nothing.
 */
final class JvmSampler implements AutoCloseable {
    private static final Duration GAUGE_INTERVAL = Duration.ofMillis(200);
    // By then requests queue where they do.
    private static final Duration FIRST_DUMP = Duration.ofMillis(500);
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final JvmConnection jvm;
    private final Random random;
    private final ScheduledThreadPoolExecutor executor;
    private @Nullable Window open;

    JvmSampler(JvmConnection jvm, Random random) {
        this.jvm = jvm;
        this.random = random;
        this.executor = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("weir-watch").factory());
        executor.setRemoveOnCancelPolicy(true);
    }

    /** One window's tasks; {@code gathered} belongs to the sampler's thread. */
    private final class Window {
        private volatile boolean closed;
        private @Nullable JvmWindow gathered;
        private @Nullable ScheduledFuture<?> gauges;

        private void start() {
            executor.execute(() -> gathered = new JvmWindow(jvm, random));
            gauges = executor.scheduleWithFixedDelay(
                    this::sampleGauges, GAUGE_INTERVAL.toMillis(), GAUGE_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
            dumpAfter(FIRST_DUMP);
        }

        private void sampleGauges() {
            JvmWindow window = gathered;
            if (window != null && !closed) {
                window.sampleGauges();
            }
        }

        private void dumpAfter(Duration wait) {
            Future<?> ignored = executor.schedule(this::dump, wait.toMillis(), TimeUnit.MILLISECONDS);
        }

        private void dump() {
            JvmWindow window = gathered;
            if (window != null && !closed) {
                long begin = System.nanoTime();
                window.dump();
                dumpAfter(DumpPace.after(Duration.ofNanos(System.nanoTime() - begin)));
            }
        }

        private Optional<JvmWindow.Seen> end() {
            JvmWindow window = gathered;
            return window == null ? Optional.empty() : Optional.of(window.end());
        }

        private void close() {
            closed = true;
            if (gauges != null) {
                gauges.cancel(false);
            }
        }
    }

    void begin() {
        drop();
        Window window = new Window();
        open = window;
        window.start();
    }

    /** Ends the window; empty where the JVM did not answer in time or is gone. */
    Optional<JvmWindow.Seen> end() {
        Window window = open;
        drop();
        if (window == null) {
            return Optional.empty();
        }
        Future<Optional<JvmWindow.Seen>> answer = executor.submit(window::end);
        try {
            return answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | CancellationException | TimeoutException e) {
            answer.cancel(false);
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private void drop() {
        if (open != null) {
            open.close();
            open = null;
        }
    }

    @Override
    public void close() {
        drop();
        executor.shutdownNow();
        jvm.close();
    }
}
