package dev.weir.core.publish;

import dev.weir.core.publish.NotDeliveredException.Reason;
import dev.weir.core.publish.spool.Spool;
import dev.weir.core.publish.spool.SpoolConfig;
import dev.weir.core.publish.spool.SpoolRecord;
import dev.weir.core.publish.spool.SpoolRecovery;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A publisher that writes each event to disk first: what it has acknowledged survives {@code kill -9} and a broker that is away for as
 * long as the disk lasts, and is delivered at least once, in order per key.
 *
 * <p>Calls append to a {@link Spool}; one thread reads it in order into a {@link BatchingPublisher}, at most a buffer ahead of the
 * acknowledgements. What could not be delivered for a reason of its own goes to a second spool, parked, and holds nothing up.
 */
public final class SpooledPublisher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SpooledPublisher.class);
    private static final Duration CLOSE_TIME = Duration.ofSeconds(10);
    private static final Duration IDLE = Duration.ofMillis(200);
    private static final int READ_AT_ONCE = 500;

    private final PublisherConfig config;
    private final Spool spool;
    private final Spool parked;
    private final BatchingPublisher publisher;
    private final EventIds ids = new EventIds(ThreadLocalRandom.current().nextLong());
    private final Watermark delivered;
    private final Semaphore window;
    private final AtomicLong parkedEvents = new AtomicLong();
    private final Thread pump;
    private volatile boolean closing;
    private volatile boolean stopped;

    private SpooledPublisher(PublisherConfig config, Spool spool, Spool parked, BatchingPublisher publisher) {
        this.config = config;
        this.spool = spool;
        this.parked = parked;
        this.publisher = publisher;
        this.delivered = new Watermark(spool.deliveredSequence());
        this.window = new Semaphore(config.bufferEvents());
        this.parkedEvents.set(parked.recovery().records());
        this.pump = Thread.ofPlatform().name("weir-publish-spool").daemon(true).unstarted(this::pump);
    }

    /**
     * Opens the folder, and begins to deliver what is in it.
     *
     * @param config its give-up-after does not apply: what was acknowledged is never given up
     * @throws IOException if the folder cannot be read or written
     */
    public static SpooledPublisher start(
            Path folder, SpoolConfig spoolConfig, PublisherConfig config, TransportFactory transports)
            throws IOException {
        Spool spool = Spool.open(folder, spoolConfig);
        SpooledPublisher started = null;
        try {
            Spool parked = Spool.open(folder.resolve("parked"), spoolConfig);
            started = new SpooledPublisher(
                    config,
                    spool,
                    parked,
                    BatchingPublisher.start(config.withGiveUpAfter(PublisherConfig.NEVER), transports));
        } finally {
            if (started == null) {
                spool.close();
            }
        }
        started.pump.start();
        return started;
    }

    /**
     * Takes an event. Does not wait for the disk nor for the broker.
     *
     * @return completed with the event's id when it is durable, on the thread that writes, which dependents must not block; fails with
     *     {@link PublicationRefusedException} where the event is too large or no topic can have the name it gives, with
     *     {@link dev.weir.core.publish.spool.SpoolException} where the disk is full or refuses, or the publisher is closed
     */
    public CompletableFuture<UUID> publish(Event event) {
        Objects.requireNonNull(event, "There is no event; null was given.");
        int bytes = event.sizeBytes();
        if (bytes > config.maxEventBytes()) {
            return CompletableFuture.failedFuture(
                    new PublicationRefusedException(new Publication.Oversized(bytes, config.maxEventBytes())));
        }
        String wrongName = EventTexts.noTopic(event.topic());
        if (wrongName != null) {
            return CompletableFuture.failedFuture(
                    new PublicationRefusedException(new Publication.TopicRefused(event.topic(), wrongName)));
        }
        return append(event);
    }

    private CompletableFuture<UUID> append(Event event) {
        UUID given = event.id();
        UUID id = given == null ? ids.get() : given;
        return spool.append(EventCodec.encode(event.withId(id))).thenApply(sequence -> id);
    }

    /** What was found on disk at the start. */
    public SpoolRecovery recovery() {
        return spool.recovery();
    }

    /** Durable events that are not delivered. */
    public long waiting() {
        return Math.max(0, spool.durableSequence() - delivered.through());
    }

    /** How full the spool is, 0 to 1. */
    public double pressure() {
        return Math.min(1, (double) spool.bytes() / spool.config().maxBytes());
    }

    /** What the publisher behind the spool has counted. */
    public PublisherStats stats() {
        return publisher.stats();
    }

    private void pump() {
        Spool.Reader reader = spool.reader();
        try {
            while (!stopped) {
                List<SpoolRecord> records = reader.next(READ_AT_ONCE);
                for (SpoolRecord record : records) {
                    handOver(record);
                }
                markDelivered();
                if (records.isEmpty()) {
                    boolean more = spool.awaitBeyond(reader.last(), IDLE);
                    LOG.trace("More in the spool: {}", more);
                }
            }
        } catch (IOException | RuntimeException broken) {
            LOG.error("The spool cannot be read; nothing more is delivered until the next start.", broken);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void markDelivered() throws IOException {
        spool.delivered(delivered.through());
    }

    private void handOver(SpoolRecord record) throws IOException, InterruptedException {
        Event event = EventCodec.decode(record.content());
        while (!window.tryAcquire(IDLE.toMillis(), TimeUnit.MILLISECONDS)) {
            if (stopped) {
                return;
            }
            markDelivered();
        }
        delivered.begin(record.sequence());
        Publication publication = publisher.publish(event, IDLE);
        while (publication instanceof Publication.BufferFull && !stopped) {
            publication = publisher.publish(event, IDLE);
        }
        switch (publication) {
            case Publication.Accepted(CompletableFuture<Receipt> receipt) -> {
                var ignored = receipt.whenComplete((written, failure) -> ended(record.sequence(), event, failure));
            }
            case Publication.BufferFull full -> window.release();
            case Publication.Closed closed -> window.release();
            case Publication.Refused refused -> park(record.sequence(), event, refused.sentence());
        }
    }

    private void ended(long sequence, Event event, @Nullable Throwable failure) {
        if (failure == null) {
            end(sequence);
        } else if (failure instanceof NotDeliveredException failed && failed.reason() == Reason.CLOSED) {
            window.release();
        } else {
            park(sequence, event, String.valueOf(failure.getMessage()));
        }
    }

    private void end(long sequence) {
        delivered.end(sequence);
        window.release();
    }

    private void park(long sequence, Event event, String reason) {
        LOG.error("An event for topic {} is parked: {}", event.topic(), reason);
        var ignored = parked.append(encodeParked(event, reason)).whenComplete((written, failure) -> {
            if (failure == null) {
                parkedEvents.incrementAndGet();
                end(sequence);
            } else {
                LOG.error(
                        "An event for topic {} cannot be parked; it is tried again after the next start.",
                        event.topic(),
                        failure);
                window.release();
            }
        });
    }

    private static byte[] encodeParked(Event event, String reason) {
        byte[] text = reason.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(text.length);
            out.write(text);
            out.write(EventCodec.encode(event));
        } catch (IOException impossible) {
            throw new IllegalStateException("Bytes in memory cannot be written.", impossible);
        }
        return bytes.toByteArray();
    }

    private static ParkedEvent decodeParked(ByteBuffer content) throws IOException {
        ByteBuffer rest = content.duplicate();
        byte[] text = new byte[rest.getInt()];
        rest.get(text);
        return new ParkedEvent(EventCodec.decode(rest), new String(text, StandardCharsets.UTF_8));
    }

    /** How many events are parked. */
    public long parkedCount() {
        return parkedEvents.get();
    }

    /**
     * The parked events, oldest first, at most so many.
     *
     * @throws IOException if they cannot be read
     */
    public List<ParkedEvent> parked(int most) throws IOException {
        List<ParkedEvent> events = new ArrayList<>();
        for (SpoolRecord record : parked.reader().next(most)) {
            events.add(decodeParked(record.content()));
        }
        return events;
    }

    /**
     * Publishes all parked events again, behind what waits; answers how many. Those parked meanwhile stay.
     *
     * @throws IOException if they cannot be read or written; some may then be published and parked both
     */
    public long replayParked() throws IOException {
        return clearParked(true);
    }

    /**
     * Forgets all parked events; answers how many. Those parked meanwhile stay.
     *
     * @throws IOException if they cannot be read
     */
    public long discardParked() throws IOException {
        return clearParked(false);
    }

    private synchronized long clearParked(boolean again) throws IOException {
        Spool.Reader reader = parked.reader();
        List<CompletableFuture<UUID>> durable = new ArrayList<>();
        long count = 0;
        long limit = parked.durableSequence();
        while (reader.last() < limit) {
            for (SpoolRecord record : reader.next(READ_AT_ONCE)) {
                count++;
                if (again) {
                    durable.add(append(decodeParked(record.content()).event()));
                }
            }
        }
        CompletableFuture.allOf(durable.toArray(CompletableFuture[]::new)).join();
        parked.delivered(reader.last());
        parkedEvents.addAndGet(-count);
        return count;
    }

    /** Closes within 10 seconds. */
    @Override
    public void close() {
        long left = close(CLOSE_TIME);
        if (left > 0) {
            LOG.info("{} events wait in the spool for the next start.", left);
        }
    }

    /** Takes no more events and delivers until this time is over; answers how many wait on disk for the next start. */
    public synchronized long close(Duration deadline) {
        if (closing) {
            return waiting();
        }
        closing = true;
        long end = System.nanoTime() + TimeUnit.NANOSECONDS.convert(deadline);
        try {
            while (waiting() > 0 && System.nanoTime() - end < 0 && pump.isAlive()) {
                TimeUnit.MILLISECONDS.sleep(2);
            }
            stopped = true;
            List<Event> left = publisher.close(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
            LOG.debug("{} events were on their way", left.size());
            pump.join();
            markDelivered();
        } catch (InterruptedException interrupted) {
            stopped = true;
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            LOG.warn("What was delivered cannot be marked; some events will be repeated: {}", e.toString());
        }
        spool.close();
        parked.close();
        return waiting();
    }
}
