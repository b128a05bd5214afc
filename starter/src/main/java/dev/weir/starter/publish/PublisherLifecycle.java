package dev.weir.starter.publish;

import dev.weir.core.publish.BatchingPublisher;
import dev.weir.core.publish.Event;
import dev.weir.core.publish.LeftoverSpool;
import dev.weir.core.publish.SpooledPublisher;
import dev.weir.starter.StopOrder;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Empties the publishers at the end of the application: after the web server and everything that may still publish, and no longer than
 * to the deadline. What was not acknowledged by then is kept on disk where there is a spool.
 */
final class PublisherLifecycle implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(PublisherLifecycle.class);

    private final BatchingPublisher publisher;
    private final @Nullable LeftoverSpool leftovers;
    private final @Nullable SpooledPublisher spooled;
    private final Duration drain;
    private volatile boolean running;

    PublisherLifecycle(
            BatchingPublisher publisher,
            @Nullable LeftoverSpool leftovers,
            @Nullable SpooledPublisher spooled,
            Duration drain) {
        this.publisher = publisher;
        this.leftovers = leftovers;
        this.spooled = spooled;
        this.drain = drain;
    }

    @Override
    public void start() {
        running = true;
    }

    /** The events in memory first: those of the spooled publisher are on disk already. */
    @Override
    public void stop() {
        running = false;
        long end = System.nanoTime() + drain.toNanos();
        List<Event> left = publisher.close(drain);
        if (leftovers != null) {
            keep(leftovers, left);
        } else if (!left.isEmpty()) {
            LOG.error(
                    "{} events were not acknowledged within weir.publish.drain ({} ms) and are lost; weir.publish.spool.folder keeps them.",
                    left.size(),
                    drain.toMillis());
        }
        if (spooled != null) {
            long waiting = spooled.close(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
            if (waiting > 0) {
                LOG.info("{} events of the spooled publisher wait on disk for the next start.", waiting);
            }
        }
    }

    private static void keep(LeftoverSpool leftovers, List<Event> left) {
        try (leftovers) {
            leftovers.keep(left);
            if (!left.isEmpty()) {
                LOG.warn("{} events were not acknowledged in time; they wait on disk for the next start.", left.size());
            }
        } catch (IOException | CompletionException refused) {
            LOG.error(
                    "{} events were not acknowledged in time, and some cannot be kept on disk.", left.size(), refused);
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** A closed publisher does not open again. */
    @Override
    public boolean isPauseable() {
        return false;
    }

    @Override
    public int getPhase() {
        return StopOrder.PUBLISHERS;
    }
}
