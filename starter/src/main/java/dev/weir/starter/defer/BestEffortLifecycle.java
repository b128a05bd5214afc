package dev.weir.starter.defer;

import dev.weir.core.defer.BestEffort;
import dev.weir.starter.StopOrder;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** Ends best effort after all that may offer tasks, and no later than at its deadline. */
final class BestEffortLifecycle implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(BestEffortLifecycle.class);

    private final BestEffort effort;
    private final Duration drain;
    private volatile boolean running;

    BestEffortLifecycle(BestEffort effort, Duration drain) {
        this.effort = effort;
        this.drain = drain;
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        long dropped = effort.close(drain);
        if (dropped > 0) {
            LOG.warn(
                    "{} best-effort tasks were dropped at weir.defer.best-effort.drain ({} ms).",
                    dropped,
                    drain.toMillis());
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** What is closed does not open again. */
    @Override
    public boolean isPauseable() {
        return false;
    }

    @Override
    public int getPhase() {
        return StopOrder.BEST_EFFORT;
    }
}
