package dev.weir.core.outbox;

import dev.weir.core.publish.Event;
import dev.weir.core.publish.Transport;
import dev.weir.core.publish.TransportFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.kafka.common.errors.AuthorizationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers to Kafka through a {@link Transport}: a whole batch at once, in order per key. A transport that broke is replaced with the
 * next batch.
 */
public final class KafkaTarget implements Target {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaTarget.class);
    private static final Duration OPEN_TIME = Duration.ofSeconds(5);
    private static final Duration ABORT_TIME = Duration.ofSeconds(5);

    private final TransportFactory transports;
    private final int maxEventBytes;
    private final Set<String> openTopics = new HashSet<>();
    private @Nullable Transport transport;
    private volatile boolean broken;

    /**
     * Through these transports.
     *
     * @param maxEventBytes larger events are refused without being sent; the transports' own bound
     */
    public KafkaTarget(TransportFactory transports, int maxEventBytes) {
        this.transports = transports;
        this.maxEventBytes = maxEventBytes;
    }

    @Override
    public Batch begin(List<StoredEvent> events) {
        Transport current = transport();
        Map<String, Outcome> closed = open(current, events);
        Sending sending = new Sending(current, events.size());
        Set<Integer> blocked = new HashSet<>();
        for (int i = 0; i < events.size(); i++) {
            sending.hand(i, events.get(i), closed, blocked);
        }
        return sending;
    }

    private Transport transport() {
        Transport current = transport;
        if (current == null || broken) {
            openTopics.clear();
            current = transports.create();
            transport = current;
            broken = false;
        }
        return current;
    }

    /** Opens the topics of a batch; answers what becomes of events whose topic is not open. */
    private Map<String, Outcome> open(Transport current, List<StoredEvent> events) {
        Map<String, CompletableFuture<Transport.Opening>> asked = new HashMap<>();
        for (StoredEvent event : events) {
            String topic = event.event().topic();
            if (!openTopics.contains(topic)) {
                asked.computeIfAbsent(topic, current::open);
            }
        }
        Map<String, Outcome> closed = new HashMap<>();
        asked.forEach((topic, opening) -> {
            Outcome outcome = outcome(opening.completeOnTimeout(
                            new Transport.Opening.Unreachable("no answer"), OPEN_TIME.toMillis(), TimeUnit.MILLISECONDS)
                    .join());
            if (outcome instanceof Outcome.Delivered) {
                openTopics.add(topic);
            } else {
                closed.put(topic, outcome);
            }
        });
        return closed;
    }

    private static Outcome outcome(Transport.Opening opening) {
        return switch (opening) {
            case Transport.Opening.Opened opened -> new Outcome.Delivered();
            case Transport.Opening.Unreachable(String reason) -> new Outcome.Postponed(reason);
            case Transport.Opening.Absent(String reason) -> new Outcome.Failed("The topic is not there: " + reason);
            case Transport.Opening.Denied(String reason) -> new Outcome.Failed("The topic takes no events: " + reason);
        };
    }

    @Override
    public void close() {
        Transport current = transport;
        if (current != null) {
            current.abort();
        }
    }

    /** One batch in the transport. */
    private final class Sending implements Batch {
        private final Transport used;
        private final AtomicReferenceArray<@Nullable Outcome> outcomes;
        private final CountDownLatch open;

        Sending(Transport used, int size) {
            this.used = used;
            this.outcomes = new AtomicReferenceArray<>(size);
            this.open = new CountDownLatch(size);
        }

        private void hand(int index, StoredEvent stored, Map<String, Outcome> closed, Set<Integer> blocked) {
            Event event = stored.event();
            Outcome known = closed.get(event.topic());
            if (blocked.contains(stored.keyHash())) {
                end(index, new Outcome.Postponed("an earlier event of its key waits"));
            } else if (known != null) {
                blocked.add(stored.keyHash());
                end(index, known);
            } else if (event.sizeBytes() > maxEventBytes) {
                end(
                        index,
                        new Outcome.Refused(
                                "The event has " + event.sizeBytes() + " bytes; allowed are " + maxEventBytes));
            } else if (!used.send(event, new Ending(index))) {
                blocked.add(stored.keyHash());
                openTopics.remove(event.topic());
                end(index, new Outcome.Postponed("the client has no room"));
            }
        }

        private void end(int index, Outcome outcome) {
            if (outcomes.compareAndSet(index, null, outcome)) {
                open.countDown();
            }
        }

        @Override
        public boolean await(Duration atMost) throws InterruptedException {
            return open.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
        }

        @Override
        public void abort() {
            broken = true;
            used.abort();
            try {
                if (!open.await(ABORT_TIME.toNanos(), TimeUnit.NANOSECONDS)) {
                    LOG.warn("{} events given up have not ended within {} s.", open.getCount(), ABORT_TIME.toSeconds());
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public List<Outcome> outcomes() {
            List<Outcome> all = new ArrayList<>(outcomes.length());
            for (int i = 0; i < outcomes.length(); i++) {
                Outcome outcome = outcomes.get(i);
                all.add(outcome == null ? new Outcome.Postponed("nobody knows how it ended") : outcome);
            }
            return all;
        }

        private final class Ending implements Transport.Delivery {
            private final int index;

            Ending(int index) {
                this.index = index;
            }

            @Override
            public void acknowledged(int partition, long offset) {
                end(index, new Outcome.Delivered());
            }

            @Override
            public void refused(Exception cause) {
                String reason = String.valueOf(cause.getMessage());
                // Rights can be given; the event itself does not change.
                end(
                        index,
                        cause instanceof AuthorizationException
                                ? new Outcome.Failed(reason)
                                : new Outcome.Refused(reason));
            }

            @Override
            public void returned(Exception cause, boolean blamed) {
                broken = true;
                end(
                        index,
                        blamed
                                ? new Outcome.Failed(String.valueOf(cause.getMessage()))
                                : new Outcome.Postponed(String.valueOf(cause.getMessage())));
            }
        }
    }
}
