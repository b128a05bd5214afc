package dev.weir.store.gateway;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down how messages ended, in the order in which they ended, and all that came meanwhile at once. One thread; what cannot be written
 * is tried until it can, or the gateway is stopped: then it is sent again after the next start.
 */
final class EndingWriter {

    private static final Logger log = LoggerFactory.getLogger(EndingWriter.class);
    private static final int AT_ONCE = 1_000;
    private static final long IDLE_MILLIS = 100;
    private static final Duration RETRY = Duration.ofMillis(500);

    /** A message in hand and its end. */
    record Ended(Held held, MessageTable.Ending ending) {}

    private final Consumer<List<Ended>> write;
    private final BlockingQueue<Ended> endings = new LinkedBlockingQueue<>();
    private final Thread thread =
            Thread.ofPlatform().name("store-gateway-endings").daemon(true).unstarted(this::run);
    private volatile boolean closing;

    /**
     * Waits for {@link #start}.
     *
     * @param write writes some, in this writer's thread; called again with the same where it throws
     */
    EndingWriter(Consumer<List<Ended>> write) {
        this.write = write;
    }

    void start() {
        thread.start();
    }

    /** Adds one; never blocks. Any thread may call it. */
    void add(Ended ended) {
        endings.add(ended);
    }

    /** How many wait to be written. */
    int waiting() {
        return endings.size();
    }

    private void run() {
        try {
            while (!closing || !endings.isEmpty()) {
                Ended first = endings.poll(IDLE_MILLIS, TimeUnit.MILLISECONDS);
                if (first != null) {
                    List<Ended> batch = new ArrayList<>();
                    batch.add(first);
                    endings.drainTo(batch, AT_ONCE - 1);
                    writeUntilWritten(batch);
                }
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private void writeUntilWritten(List<Ended> batch) throws InterruptedException {
        boolean warned = false;
        while (true) {
            try {
                write.accept(batch);
                return;
            } catch (RuntimeException trouble) {
                if (!warned) {
                    log.warn("What became of {} messages cannot be written yet: {}", batch.size(), trouble.toString());
                    warned = true;
                }
                if (closing) {
                    return;
                }
                TimeUnit.MILLISECONDS.sleep(RETRY.toMillis());
            }
        }
    }

    /** Writes what waits, within this time. */
    void close(Duration time) throws InterruptedException {
        closing = true;
        if (thread.isAlive() && !thread.join(time)) {
            thread.interrupt();
        }
    }
}
