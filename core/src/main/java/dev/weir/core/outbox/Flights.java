package dev.weir.core.outbox;

import dev.weir.core.time.NanoClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The batches that are under way, all of different keys. Used by the relay's thread. */
final class Flights {

    /**
     * A batch under way.
     *
     * @param tokens the ownership it was begun under, of its parts of the keys
     * @param oldest when the oldest event of its wave was added, by this process's clock; null where that is in another batch
     */
    record Flight(
            List<StoredEvent> events,
            Target.Batch batch,
            Map<Integer, Long> tokens,
            @Nullable Long oldest) {

        private long bytes() {
            return events.stream().mapToLong(event -> event.event().sizeBytes()).sum();
        }
    }

    private final NanoClock clock;
    private final List<Flight> open = new ArrayList<>();
    private int events;
    private long bytes;

    Flights(NanoClock clock) {
        this.clock = clock;
    }

    void add(Flight flight) {
        open.add(flight);
        events += flight.events().size();
        bytes += flight.bytes();
    }

    boolean isEmpty() {
        return open.isEmpty();
    }

    int events() {
        return events;
    }

    long bytes() {
        return bytes;
    }

    /** Hashes of the keys whose later events must wait. */
    Set<Integer> keys() {
        Set<Integer> keys = new HashSet<>();
        open.forEach(flight -> flight.events().forEach(event -> keys.add(event.keyHash())));
        return keys;
    }

    /** Parts of the keys that are to be kept until these batches have ended. */
    Set<Integer> lanes() {
        Set<Integer> lanes = new HashSet<>();
        open.forEach(flight -> lanes.addAll(flight.tokens().keySet()));
        return lanes;
    }

    /** Waits for the end of all batches from this one on, in the order they were added; no longer than this. */
    void await(int from, Duration atMost) throws InterruptedException {
        long end = clock.nanoTime() + atMost.toNanos();
        boolean ended = true;
        for (int i = from; i < open.size() && ended; i++) {
            ended = open.get(i).batch().await(Duration.ofNanos(Math.max(0, end - clock.nanoTime())));
        }
    }

    /** How many there are. */
    int size() {
        return open.size();
    }

    /** Takes out those that have ended. */
    List<Flight> takeEnded() throws InterruptedException {
        List<Flight> ended = new ArrayList<>();
        for (Iterator<Flight> each = open.iterator(); each.hasNext(); ) {
            Flight flight = each.next();
            if (flight.batch().await(Duration.ZERO)) {
                each.remove();
                ended.add(flight);
            }
        }
        return leave(ended);
    }

    /** Takes out those whose parts of the keys are no longer owned as they were. */
    List<Flight> takeLost(Map<Integer, Long> owned) {
        List<Flight> lost = new ArrayList<>();
        open.removeIf(flight -> {
            boolean gone = !owned.entrySet().containsAll(flight.tokens().entrySet());
            if (gone) {
                lost.add(flight);
            }
            return gone;
        });
        return leave(lost);
    }

    private List<Flight> leave(List<Flight> gone) {
        for (Flight flight : gone) {
            events -= flight.events().size();
            bytes -= flight.bytes();
        }
        return gone;
    }

    /** All events of these batches, in order per key. */
    static List<StoredEvent> events(List<Flight> flights) {
        return flights.stream().flatMap(flight -> flight.events().stream()).toList();
    }

    /** How they ended. */
    static List<Outcome> outcomes(List<Flight> flights) {
        return flights.stream()
                .flatMap(flight -> flight.batch().outcomes().stream())
                .toList();
    }

    /** What they were owned by. */
    static Map<Integer, Long> tokens(List<Flight> flights) {
        Map<Integer, Long> tokens = new HashMap<>();
        flights.forEach(flight -> tokens.putAll(flight.tokens()));
        return tokens;
    }
}
