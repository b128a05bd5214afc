package dev.weir.lab.collect;

import dev.weir.lab.host.ListeningProcess;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Samples how many connections wait to be accepted, on a thread of its own while a window is open. */
final class AcceptQueue implements AutoCloseable {
    private static final Duration INTERVAL = Duration.ofMillis(500);

    private final ListeningProcess listeners;
    private final InetSocketAddress listening;
    private final ScheduledExecutorService executor = new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("weir-accept-queue").factory());
    private @Nullable Window open;

    AcceptQueue(ListeningProcess listeners, InetSocketAddress listening) {
        this.listeners = listeners;
        this.listening = listening;
    }

    private static final class Window {
        private final Mean waiting = new Mean();
        private @Nullable Future<?> sampling;

        private synchronized void add(int connections) {
            if (connections >= 0) {
                waiting.add(connections);
            }
        }

        private synchronized @Nullable Double mean() {
            return waiting.empty() ? null : waiting.value();
        }

        private void cancel() {
            if (sampling != null) {
                sampling.cancel(false);
            }
        }
    }

    void begin() {
        end();
        InetAddress address = listening.getAddress();
        if (address == null) {
            return;
        }
        Window window = new Window();
        window.sampling = executor.scheduleWithFixedDelay(
                () -> window.add(listeners.acceptQueue(address, listening.getPort())),
                0,
                INTERVAL.toMillis(),
                TimeUnit.MILLISECONDS);
        open = window;
    }

    /** Mean over the window; null where the system does not tell or no window is open. */
    @Nullable
    Double end() {
        Window window = open;
        open = null;
        if (window == null) {
            return null;
        }
        window.cancel();
        return window.mean();
    }

    @Override
    public void close() {
        end();
        executor.shutdownNow();
    }
}
