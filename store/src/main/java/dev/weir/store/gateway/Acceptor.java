package dev.weir.store.gateway;

import dev.weir.core.outbox.Outbox;
import dev.weir.core.publish.Event;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionOperations;

/**
 * Writes accepted messages: each with its event in one transaction, and all that came meanwhile in the same one (group commit). A commit
 * costs the disk one write whether it holds one message or 500, so a single thread that takes whatever waits is both faster and in order.
 *
 * <p>Who hands in waits for the commit. A message is accepted when that has come back, and then nothing that dies loses it.
 */
final class Acceptor implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Acceptor.class);
    private static final int BATCH = 500;
    private static final int ROOM = 10_000;
    private static final Duration IDLE = Duration.ofMillis(100);
    private static final Duration CLOSE_TIME = Duration.ofSeconds(10);

    /** What became of a message handed in. */
    sealed interface Acceptance {

        /**
         * On disk.
         *
         * @param number in its client's line
         * @param before messages of the same client to the same recipient that go before it
         */
        record Queued(UUID id, long number, int before, Instant acceptedAt) implements Acceptance {}

        /** An earlier request had the same key and asked for the same. */
        record Replayed(StoredMessage message) implements Acceptance {}

        /** An earlier request had the same key and asked for something else. */
        record KeyReused() implements Acceptance {}

        /** Too many messages wait for this recipient, which gets one at a time. */
        record RecipientFull(int waiting, Duration expected) implements Acceptance {}
    }

    private record Waiting(NewMessage message, CompletableFuture<Acceptance> answer) {}

    private final JdbcTemplate jdbc;
    private final TransactionOperations transaction;
    private final MessageTable table;
    private final Outbox outbox;
    private final String topic;
    private final QueueView view;
    private final Duration maxWait;
    private final Supplier<Duration> sendTime;
    private final InstantSource clock;
    private final BlockingQueue<Waiting> arrivals = new ArrayBlockingQueue<>(ROOM);
    private final Thread thread =
            Thread.ofPlatform().name("store-gateway-accept").daemon(true).unstarted(this::run);
    private final List<Waiting> left = new ArrayList<>();
    private volatile boolean closing;

    /**
     * Waits for {@link #start}.
     *
     * @param sendTime how long the provider takes for one message at present
     */
    Acceptor(
            JdbcTemplate jdbc,
            TransactionOperations transaction,
            MessageTable table,
            Outbox outbox,
            String topic,
            QueueView view,
            Duration maxWait,
            Supplier<Duration> sendTime,
            InstantSource clock) {
        this.jdbc = jdbc;
        this.transaction = transaction;
        this.table = table;
        this.outbox = outbox;
        this.topic = topic;
        this.view = view;
        this.maxWait = maxWait;
        this.sendTime = sendTime;
        this.clock = clock;
    }

    void start() {
        thread.start();
    }

    /** Hands in a message that was admitted; null when too many wait to be written. The answer fails when it cannot be written. */
    @Nullable
    CompletableFuture<Acceptance> accept(NewMessage message) {
        var waiting = new Waiting(message, new CompletableFuture<>());
        return !closing && arrivals.offer(waiting) ? waiting.answer : null;
    }

    private void run() {
        try {
            while (!closing || !arrivals.isEmpty() || !left.isEmpty()) {
                List<Waiting> batch = nextBatch();
                if (!batch.isEmpty()) {
                    write(batch);
                }
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    /** Those left over from the batch before come first. */
    private List<Waiting> nextBatch() throws InterruptedException {
        List<Waiting> batch = new ArrayList<>(left);
        left.clear();
        if (batch.isEmpty()) {
            Waiting first = arrivals.poll(IDLE.toMillis(), TimeUnit.MILLISECONDS);
            if (first == null) {
                return batch;
            }
            batch.add(first);
        }
        arrivals.drainTo(batch, BATCH - batch.size());
        return batch;
    }

    private void write(List<Waiting> batch) {
        try {
            Written written = transaction.execute(status -> writeAll(batch));
            view.accepted(written.counts);
            outbox.committed();
            left.addAll(written.again);
            written.answers.forEach((waiting, acceptance) -> waiting.answer.complete(acceptance));
        } catch (DataAccessResourceFailureException | TransactionException failed) {
            fail(batch, failed);
        } catch (RuntimeException failed) {
            if (batch.size() == 1) {
                fail(batch, failed);
            } else {
                // One that the database will not have must not take the others with it.
                batch.forEach(each -> write(List.of(each)));
            }
        }
    }

    private static void fail(List<Waiting> batch, RuntimeException failed) {
        log.warn("{} messages cannot be accepted: {}", batch.size(), failed.toString());
        batch.forEach(waiting -> waiting.answer.completeExceptionally(failed));
    }

    /** What one transaction has done; told only once it has committed. */
    private static final class Written {

        final Map<Waiting, Acceptance> answers = new HashMap<>();
        final List<Waiting> again = new ArrayList<>();
        final List<Waiting> fresh = new ArrayList<>();
        final Map<UUID, Integer> before = new HashMap<>();
        Map<String, MessageTable.Count> counts = Map.of();
    }

    private Written writeAll(List<Waiting> batch) {
        var written = new Written();
        sortOut(batch, written);
        if (!written.fresh.isEmpty()) {
            insert(written);
        }
        return written;
    }

    /** Finds those that were handed in before, and those whose recipient has too many waiting. */
    private void sortOut(List<Waiting> batch, Written written) {
        Map<MessageTable.ClientKey, StoredMessage> known = table.byKeys(batch.stream()
                .map(waiting -> key(waiting.message))
                .filter(key -> key != null)
                .distinct()
                .toList());
        Map<MessageTable.Lane, Integer> depths = table.depths(
                batch.stream().map(waiting -> lane(waiting.message)).distinct().toList(), mostInLane() + 1);
        Set<MessageTable.ClientKey> taken = new HashSet<>();
        for (Waiting waiting : batch) {
            MessageTable.ClientKey key = key(waiting.message);
            StoredMessage earlier = key == null ? null : known.get(key);
            if (earlier != null) {
                written.answers.put(waiting, earlier(waiting.message, earlier));
            } else if (key != null && !taken.add(key)) {
                written.again.add(waiting);
            } else {
                place(waiting, depths, written);
            }
        }
    }

    private void place(Waiting waiting, Map<MessageTable.Lane, Integer> depths, Written written) {
        MessageTable.Lane lane = lane(waiting.message);
        int before = depths.getOrDefault(lane, 0);
        if (before > mostInLane()) {
            written.answers.put(
                    waiting, new Acceptance.RecipientFull(before, sendTime.get().multipliedBy(before)));
        } else {
            depths.put(lane, before + 1);
            written.before.put(waiting.message.id(), before);
            written.fresh.add(waiting);
        }
    }

    /** A recipient gets one message at a time, so this many go to it within the longest wait. */
    private int mostInLane() {
        long nanos = Math.max(1, sendTime.get().toNanos());
        return Math.clamp(maxWait.toNanos() / nanos, 1, 100_000);
    }

    private void insert(Written written) {
        SortedMap<String, Long> byClient = new TreeMap<>();
        written.fresh.forEach(waiting -> byClient.merge(waiting.message.client(), 1L, Long::sum));
        written.counts = table.takeNumbers(byClient);
        Map<String, Long> next = new HashMap<>();
        byClient.forEach((client, count) -> next.put(client, accepted(written, client) - count + 1));
        List<MessageTable.Numbered> numbered = new ArrayList<>();
        for (Waiting waiting : written.fresh) {
            long number = next.merge(waiting.message.client(), 1L, Long::sum) - 1;
            numbered.add(new MessageTable.Numbered(waiting.message, number));
        }
        Instant acceptedAt = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        Set<UUID> inserted = table.insert(numbered, acceptedAt);
        List<Event> events = new ArrayList<>();
        SortedMap<String, Long> lost = new TreeMap<>();
        for (int i = 0; i < numbered.size(); i++) {
            Waiting waiting = written.fresh.get(i);
            NewMessage message = waiting.message;
            if (inserted.contains(message.id())) {
                events.add(new Outgoing(
                                message.id(),
                                message.client(),
                                message.to(),
                                message.text(),
                                numbered.get(i).number())
                        .event(topic));
                int before = written.before.getOrDefault(message.id(), 0);
                written.answers.put(
                        waiting,
                        new Acceptance.Queued(message.id(), numbered.get(i).number(), before, acceptedAt));
            } else {
                // Another instance has used the key meanwhile: the next batch finds its message.
                written.again.add(waiting);
                lost.merge(message.client(), 1L, Long::sum);
            }
        }
        if (!lost.isEmpty()) {
            table.countEnded(lost);
        }
        add(events);
    }

    private static long accepted(Written written, String client) {
        MessageTable.Count count = written.counts.get(client);
        if (count == null) {
            throw new IllegalStateException("The database gave no numbers for " + client);
        }
        return count.accepted();
    }

    private void add(List<Event> events) {
        jdbc.execute((ConnectionCallback<Integer>)
                connection -> outbox.add(connection, events).size());
    }

    private static Acceptance earlier(NewMessage message, StoredMessage earlier) {
        return message.fingerprint().equals(earlier.fingerprint())
                ? new Acceptance.Replayed(earlier)
                : new Acceptance.KeyReused();
    }

    private static MessageTable.@Nullable ClientKey key(NewMessage message) {
        return message.key() == null ? null : new MessageTable.ClientKey(message.client(), message.key());
    }

    private static MessageTable.Lane lane(NewMessage message) {
        return new MessageTable.Lane(message.client(), message.to());
    }

    /** Writes what waits, within 10 seconds, and takes nothing more. */
    @Override
    public void close() {
        closing = true;
        try {
            if (!thread.join(CLOSE_TIME)) {
                thread.interrupt();
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
        arrivals.forEach(waiting ->
                waiting.answer.completeExceptionally(new IllegalStateException("The gateway is being stopped")));
    }
}
