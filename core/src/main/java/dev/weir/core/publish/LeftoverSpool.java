package dev.weir.core.publish;

import dev.weir.core.publish.spool.Spool;
import dev.weir.core.publish.spool.SpoolConfig;
import dev.weir.core.publish.spool.SpoolRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps on disk what a {@link BatchingPublisher} could not deliver when it was closed, and brings it back at the next start. For
 * orderly shutdowns only: what {@code kill -9} takes is gone; {@link SpooledPublisher} keeps that too.
 *
 * <p>What was brought back is marked as delivered a moment after its acknowledgement, so that a later {@code kill -9} does not repeat
 * it behind newer events. The mark is a small file, written at most ten times a second and not forced: it need not outlive the machine.
 */
public final class LeftoverSpool implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LeftoverSpool.class);
    private static final int READ_AT_ONCE = 500;
    private static final long MARK_AFTER_MILLIS = 100;

    private final Spool spool;
    private final Watermark delivered;
    private final Set<UUID> restored = new HashSet<>();
    private final Executor marker;
    private final AtomicBoolean markIsDue = new AtomicBoolean();

    /** Guarded by this: once it is closed, the folder may be another's. */
    private boolean closed;

    private LeftoverSpool(Spool spool, Executor marker) {
        this.spool = spool;
        this.marker = marker;
        this.delivered = new Watermark(spool.deliveredSequence());
    }

    /**
     * Opens a folder, made where it is missing.
     *
     * @throws IOException if it cannot be read or written
     */
    public static LeftoverSpool open(Path folder, SpoolConfig config) throws IOException {
        Executor later =
                CompletableFuture.delayedExecutor(MARK_AFTER_MILLIS, TimeUnit.MILLISECONDS, Thread::startVirtualThread);
        return new LeftoverSpool(Spool.open(folder, config), later);
    }

    /**
     * Publishes what was kept, in its order, waiting for room where there is more than a buffer holds. Call it before anyone else
     * publishes, or their events come first. Answers how many were published; where the time was over the rest stays on disk.
     *
     * @throws IOException if what was kept cannot be read
     */
    public int restore(BatchingPublisher publisher, Duration atMost) throws IOException, InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        Spool.Reader reader = spool.reader();
        int count = 0;
        for (List<SpoolRecord> next = reader.next(READ_AT_ONCE); !next.isEmpty(); next = reader.next(READ_AT_ONCE)) {
            for (SpoolRecord record : next) {
                if (!restore(record, publisher, end)) {
                    return count;
                }
                count++;
            }
        }
        return count;
    }

    private boolean restore(SpoolRecord record, BatchingPublisher publisher, long end)
            throws IOException, InterruptedException {
        Event event = EventCodec.decode(record.content());
        Publication publication = publisher.publish(event, Duration.ofNanos(Math.max(0, end - System.nanoTime())));
        if (!(publication instanceof Publication.Accepted(CompletableFuture<Receipt> receipt))) {
            return false;
        }
        delivered.begin(record.sequence());
        restored.add(Objects.requireNonNull(event.id()));
        var ignored = receipt.whenComplete((written, failure) -> ended(record.sequence(), failure));
        return true;
    }

    /** What failed for good would fail at each start. */
    private void ended(long sequence, @Nullable Throwable failure) {
        if (failure instanceof NotDeliveredException failed && failed.reason() == NotDeliveredException.Reason.CLOSED) {
            return;
        }
        if (failure != null) {
            LOG.error("An event that had been kept is lost: {}", failure.getMessage());
        }
        delivered.end(sequence);
        if (markIsDue.compareAndSet(false, true)) {
            marker.execute(this::mark);
        }
    }

    private synchronized void mark() {
        markIsDue.set(false);
        if (closed) {
            return;
        }
        try {
            spool.deliveredAndMarked(delivered.through());
        } catch (IOException e) {
            LOG.warn("What was delivered cannot be marked; some events may be repeated: {}", e.toString());
        }
    }

    /**
     * Keeps what {@link BatchingPublisher#close(java.time.Duration)} answered; returns when it is durable. What was restored and is
     * not delivered is on disk already.
     *
     * @throws IOException if the mark of what was delivered cannot be written
     * @throws java.util.concurrent.CompletionException if an event cannot be written
     */
    public void keep(List<Event> left) throws IOException {
        CompletableFuture.allOf(left.stream()
                        .filter(event -> !restored.contains(Objects.requireNonNull(event.id())))
                        .map(event -> spool.append(EventCodec.encode(event)))
                        .toArray(CompletableFuture[]::new))
                .join();
        spool.delivered(delivered.through());
    }

    /** Events on disk that are not known to be delivered. */
    public long kept() {
        return spool.durableSequence() - delivered.through();
    }

    /** Marks what was delivered and gives the folder free. */
    @Override
    public synchronized void close() throws IOException {
        closed = true;
        spool.delivered(delivered.through());
        spool.close();
    }
}
