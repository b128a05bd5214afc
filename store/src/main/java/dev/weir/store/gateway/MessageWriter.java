package dev.weir.store.gateway;

import dev.weir.core.outbox.Outbox;
import dev.weir.core.publish.Event;
import dev.weir.store.gateway.MessageTable.ClientKey;
import dev.weir.store.gateway.MessageTable.Depth;
import dev.weir.store.gateway.MessageTable.Lane;
import dev.weir.store.gateway.MessageTable.Numbered;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * What is done in the transaction that accepts a batch: those handed in before are found by their keys, those whose recipient has too
 * many waiting are left out, and the rest get their numbers, rows and events. One thread.
 */
final class MessageWriter implements Acceptor.Writer {

    private static final int MOST_COUNTED = 100_000;

    private final JdbcTemplate jdbc;
    private final MessageTable table;
    private final Outbox outbox;
    private final String topic;
    private final Duration maxWait;
    private final Supplier<Duration> sendTime;
    private final InstantSource clock;

    /** @param sendTime how long the provider takes for one message at present */
    MessageWriter(
            JdbcTemplate jdbc,
            MessageTable table,
            Outbox outbox,
            String topic,
            Duration maxWait,
            Supplier<Duration> sendTime,
            InstantSource clock) {
        this.jdbc = jdbc;
        this.table = table;
        this.outbox = outbox;
        this.topic = topic;
        this.maxWait = maxWait;
        this.sendTime = sendTime;
        this.clock = clock;
    }

    /** A message that is to be written, and its lane before it. */
    private record Placed(Arrival arrival, Depth ahead) {

        NewMessage message() {
            return arrival.message();
        }
    }

    @Override
    public Acceptor.Written write(List<Arrival> batch) {
        var written = new Acceptor.Written();
        List<Placed> placed = place(withoutReplays(batch, written), written);
        if (!placed.isEmpty()) {
            insert(placed, written);
        }
        return written;
    }

    /** Answers those that were handed in before; of several with the same key in this batch only the first goes on. */
    private List<Arrival> withoutReplays(List<Arrival> batch, Acceptor.Written written) {
        Map<ClientKey, StoredMessage> known = table.byKeys(batch.stream()
                .map(Arrival::key)
                .filter(Objects::nonNull)
                .distinct()
                .toList());
        Set<ClientKey> taken = new HashSet<>();
        List<Arrival> fresh = new ArrayList<>(batch.size());
        for (Arrival arrival : batch) {
            ClientKey key = arrival.key();
            StoredMessage earlier = key == null ? null : known.get(key);
            if (earlier != null) {
                written.answers.put(arrival, earlier(arrival.message(), earlier));
            } else if (!arrival.isAdmitted()) {
                written.answers.put(arrival, new Acceptance.NotAdmitted());
            } else if (key != null && !taken.add(key)) {
                written.again.add(arrival);
            } else {
                fresh.add(arrival);
            }
        }
        return fresh;
    }

    private static Acceptance earlier(NewMessage message, StoredMessage earlier) {
        return message.fingerprint().equals(earlier.fingerprint())
                ? new Acceptance.Replayed(earlier)
                : new Acceptance.KeyReused();
    }

    /** A recipient gets one message at a time, so what waits for it and the provider's latency say when the next one is sent. */
    private List<Placed> place(List<Arrival> fresh, Acceptor.Written written) {
        Duration send = sendTime.get();
        Map<Lane, Depth> depths = fresh.isEmpty()
                ? Map.of()
                : new HashMap<>(table.depths(
                        fresh.stream().map(Arrival::lane).distinct().toList(), mostCounted(send)));
        List<Placed> placed = new ArrayList<>(fresh.size());
        for (Arrival arrival : fresh) {
            Lane lane = arrival.lane();
            Depth ahead = depths.getOrDefault(lane, Depth.NONE);
            Duration expected = send.multipliedBy(ahead.waiting()).plus(ahead.delay());
            if (ahead.waiting() > 0 && expected.compareTo(maxWait) > 0) {
                written.answers.put(arrival, new Acceptance.RecipientFull(ahead.waiting(), expected));
            } else {
                depths.put(lane, new Depth(ahead.waiting() + 1, ahead.delay()));
                placed.add(new Placed(arrival, ahead));
            }
        }
        return placed;
    }

    /** One more than are sent within the longest wait. */
    private int mostCounted(Duration send) {
        return Math.clamp(maxWait.toNanos() / Math.max(1, send.toNanos()), 1, MOST_COUNTED) + 1;
    }

    private void insert(List<Placed> placed, Acceptor.Written written) {
        List<Numbered> numbered = number(placed, written);
        Instant acceptedAt = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        Set<UUID> inserted = table.insert(numbered, acceptedAt);
        List<Event> events = new ArrayList<>(placed.size());
        List<NewMessage> lost = new ArrayList<>();
        for (int i = 0; i < placed.size(); i++) {
            Placed each = placed.get(i);
            NewMessage message = each.message();
            long number = numbered.get(i).number();
            if (inserted.contains(message.id())) {
                events.add(event(message, number));
                written.answers.put(
                        each.arrival,
                        new Acceptance.Queued(
                                message.id(), number, each.ahead.waiting(), each.ahead.delay(), acceptedAt));
            } else {
                // Another instance has used the key meanwhile: the next batch finds its message.
                written.again.add(each.arrival);
                lost.add(message);
            }
        }
        if (!lost.isEmpty()) {
            table.countEnded(byClient(lost, Function.identity()));
        }
        jdbc.execute((ConnectionCallback<Integer>)
                connection -> outbox.add(connection, events).size());
    }

    private List<Numbered> number(List<Placed> placed, Acceptor.Written written) {
        SortedMap<String, Long> byClient = byClient(placed, Placed::message);
        written.counts = table.takeNumbers(byClient);
        Map<String, Long> next = new HashMap<>();
        byClient.forEach((client, count) -> next.put(client, accepted(written, client) - count + 1));
        List<Numbered> numbered = new ArrayList<>(placed.size());
        for (Placed each : placed) {
            long number = next.merge(each.message().client(), 1L, Long::sum) - 1;
            numbered.add(new Numbered(each.message(), number));
        }
        return numbered;
    }

    private static long accepted(Acceptor.Written written, String client) {
        MessageTable.Count count = written.counts.get(client);
        if (count == null) {
            throw new IllegalStateException("The database gave no numbers for " + client);
        }
        return count.accepted();
    }

    private static <T> SortedMap<String, Long> byClient(Collection<T> items, Function<T, NewMessage> message) {
        SortedMap<String, Long> counts = new TreeMap<>();
        items.forEach(item -> counts.merge(message.apply(item).client(), 1L, Long::sum));
        return counts;
    }

    private Event event(NewMessage message, long number) {
        return new Outgoing(message.id(), message.client(), message.to(), message.text(), number).event(topic);
    }
}
