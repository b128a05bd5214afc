package dev.weir.lab.engine;

import dev.weir.lab.measure.SecondSample;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** Tells a caller of each second of a run shortly after it has passed, on a thread of its own. */
final class Progress implements Runnable {
    private static final Logger LOG = System.getLogger(Progress.class.getName());
    /** Engine threads show their counts at least every 50 ms. */
    private static final long BEHIND_NANOS = 60_000_000;

    private final long startNanos;
    private final List<Share> shares;
    private final Consumer<SecondSample> listener;
    private final Thread thread;
    private volatile boolean stopped;

    Progress(long startNanos, List<Share> shares, Consumer<SecondSample> listener) {
        this.startNanos = startNanos;
        this.shares = shares;
        this.listener = listener;
        this.thread = Thread.ofPlatform().daemon().name("weir-progress").unstarted(this);
    }

    void start() {
        thread.start();
    }

    void stop() {
        stopped = true;
        LockSupport.unpark(thread);
    }

    @Override
    public void run() {
        for (int second = 0; awaitEnd(second); second++) {
            try {
                listener.accept(LoadEngine.passed(second, shares));
            } catch (RuntimeException e) {
                LOG.log(Level.WARNING, "the progress listener failed and is not called again in this run", e);
                return;
            }
        }
    }

    private boolean awaitEnd(int second) {
        long until = startNanos + (second + 1) * Recorder.SECOND_NANOS + BEHIND_NANOS;
        long wait = until - System.nanoTime();
        while (wait > 0 && !stopped) {
            LockSupport.parkNanos(this, wait);
            wait = until - System.nanoTime();
        }
        return !stopped;
    }
}
