package dev.weir.store.gateway;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Messages that wait to be sent: clients in turns, each client's in the order of their numbers, and of one client and recipient (a lane)
 * one at a time, in the order they were added.
 *
 * <p>Clients with something to send stand in a ring; each time the next one's lowest sendable message is taken. A lane whose message is
 * under way, or waits for its next attempt, is left out, and only its own later messages wait for it. So neither a client with 100,000
 * messages nor a recipient that cannot be reached delays anybody else by more than one message a turn. Taking and adding cost the logarithm
 * of the number of lanes. Not safe for several threads.
 */
final class FairQueue<T> {

    /** A message and its place. */
    static final class Entry<T> {

        private final T item;
        private final long number;
        private final Lane<T> lane;

        private Entry(T item, long number, Lane<T> lane) {
            this.item = item;
            this.number = number;
            this.lane = lane;
        }

        T item() {
            return item;
        }

        /** The earliest time of its next attempt, where it was put back. */
        long dueNanos() {
            return lane.dueNanos;
        }
    }

    private record LaneKey(String client, String recipient) {}

    private static final class Lane<T> {

        final LaneKey key;
        final Line<T> line;
        final ArrayDeque<Entry<T>> waiting = new ArrayDeque<>();
        boolean busy;
        long dueNanos;

        Lane(LaneKey key, Line<T> line) {
            this.key = key;
            this.line = line;
        }

        long firstNumber() {
            return waiting.isEmpty() ? Long.MAX_VALUE : waiting.getFirst().number;
        }
    }

    /** One client's lanes that can send. */
    private static final class Line<T> {

        final PriorityQueue<Lane<T>> ready = new PriorityQueue<>(Comparator.comparingLong(Lane<T>::firstNumber));
        int lanes;
        boolean inRing;
    }

    private final Map<LaneKey, Lane<T>> lanes = new HashMap<>();
    private final Map<String, Line<T>> lines = new HashMap<>();
    private final ArrayDeque<Line<T>> ring = new ArrayDeque<>();
    private final PriorityQueue<Lane<T>> delayed =
            new PriorityQueue<>((one, other) -> Long.signum(one.dueNanos - other.dueNanos));
    private int size;

    /**
     * Adds a message behind those of its lane.
     *
     * @param number its place among its client's: what was read later may have been accepted earlier
     */
    void add(String client, String recipient, long number, T item) {
        Line<T> line = lines.computeIfAbsent(client, unseen -> new Line<>());
        Lane<T> lane = lanes.computeIfAbsent(new LaneKey(client, recipient), key -> {
            line.lanes++;
            return new Lane<>(key, line);
        });
        lane.waiting.addLast(new Entry<>(item, number, lane));
        size++;
        if (lane.waiting.size() == 1 && !lane.busy) {
            offer(lane);
        }
    }

    /** The next message that may be sent now; its lane waits until it is ended or put back. Null where there is none. */
    @Nullable
    Entry<T> next(long nowNanos) {
        release(nowNanos);
        Line<T> line = ring.pollFirst();
        if (line == null) {
            return null;
        }
        Lane<T> lane = line.ready.remove();
        if (line.ready.isEmpty()) {
            line.inRing = false;
        } else {
            ring.addLast(line);
        }
        lane.busy = true;
        size--;
        return lane.waiting.removeFirst();
    }

    /** How long until a delayed lane is due, where no other message can be taken; {@link Long#MAX_VALUE} where nothing waits so. */
    long delayNanos(long nowNanos) {
        if (!ring.isEmpty()) {
            return 0;
        }
        Lane<T> first = delayed.peek();
        return first == null ? Long.MAX_VALUE : Math.max(0, first.dueNanos - nowNanos);
    }

    /** The message is done with; its lane goes on. */
    void end(Entry<T> entry) {
        Lane<T> lane = entry.lane;
        lane.busy = false;
        if (lane.waiting.isEmpty()) {
            forget(lane);
        } else {
            offer(lane);
        }
    }

    /** The message is to be tried again, before all others of its lane, and not before this time. */
    void putBack(Entry<T> entry, long dueNanos) {
        Lane<T> lane = entry.lane;
        lane.waiting.addFirst(entry);
        lane.dueNanos = dueNanos;
        size++;
        delayed.add(lane);
    }

    /** Takes out all waiting messages that are no longer this queue's business; those under way stay. */
    void removeIf(Predicate<T> gone) {
        ring.clear();
        delayed.removeIf(lane -> {
            removeFrom(lane, gone);
            lane.busy = !lane.waiting.isEmpty();
            return lane.waiting.isEmpty();
        });
        lines.values().forEach(line -> {
            line.ready.clear();
            line.inRing = false;
        });
        Iterator<Lane<T>> all = lanes.values().iterator();
        while (all.hasNext()) {
            Lane<T> lane = all.next();
            removeFrom(lane, gone);
            if (!lane.busy && lane.waiting.isEmpty()) {
                all.remove();
                left(lane);
            } else if (!lane.busy) {
                offer(lane);
            }
        }
    }

    private void removeFrom(Lane<T> lane, Predicate<T> gone) {
        int before = lane.waiting.size();
        lane.waiting.removeIf(entry -> gone.test(entry.item));
        size -= before - lane.waiting.size();
    }

    private void release(long nowNanos) {
        Lane<T> lane = delayed.peek();
        while (lane != null && lane.dueNanos - nowNanos <= 0) {
            delayed.remove();
            lane.busy = false;
            offer(lane);
            lane = delayed.peek();
        }
    }

    private void offer(Lane<T> lane) {
        lane.line.ready.add(lane);
        if (!lane.line.inRing) {
            lane.line.inRing = true;
            ring.addLast(lane.line);
        }
    }

    private void forget(Lane<T> lane) {
        lanes.remove(lane.key);
        left(lane);
    }

    /** A line without lanes stands in no ring. */
    private void left(Lane<T> lane) {
        lane.line.lanes--;
        if (lane.line.lanes == 0) {
            lines.remove(lane.key.client());
        }
    }

    /** Clients with a message that waits or is under way. */
    int clients() {
        return lines.size();
    }

    /** Messages that wait, those under way not counted. */
    int size() {
        return size;
    }
}
