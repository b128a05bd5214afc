package dev.weir.store.gateway;

import dev.weir.core.time.NanoClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * What this instance knows of the queue of all instances: how many messages each client has handed in and how many of them have ended, and so when the
 * next one would be sent.
 *
 * <p>Both counts only grow, and live in the database; this instance's own transactions are seen at once, those of others at the next
 * refresh. So the greater of two numbers is always the newer one, and nothing drifts. Requests on their way to the database are counted too, or
 * a thousand at once would all find the same short queue. Any thread may use it; nothing blocks for long.
 */
final class QueueView {

    private static final Duration STANDSTILL_AFTER = Duration.ofSeconds(2);

    /** Whether a message may be handed in. */
    sealed interface Decision {

        /** It may; {@link QueueView#settled} must follow. */
        record Admitted() implements Decision {}

        /** It would wait for too long. */
        record TooLong(Wait expected) implements Decision {}

        /** Its client has too many waiting. */
        record TooMany(long waiting) implements Decision {}
    }

    /**
     * How one message stands.
     *
     * @param queued messages of all clients that wait
     * @param ofClient of these, those of its client
     * @param standstill for how long nothing has ended although messages wait; zero while that is not out of the ordinary
     */
    record Standing(Wait estimate, long queued, long ofClient, Duration standstill) {}

    private static final class Line {

        long accepted;
        long ended;
        long coming;
        long inBacklog;

        long waiting() {
            return Math.max(0, accepted - ended);
        }
    }

    private final NanoClock clock;
    private final DoubleSupplier perSecond;
    private final Supplier<Duration> atLeast;
    private final Map<String, Line> lines = new HashMap<>();
    private Backlog backlog = Backlog.EMPTY;
    private long queued;
    private long progressNanos;

    /**
     * Empty, until it is refreshed.
     *
     * @param perSecond messages sent a second by all instances, above 0
     * @param atLeast what accepting and sending takes when nothing waits
     */
    QueueView(NanoClock clock, DoubleSupplier perSecond, Supplier<Duration> atLeast) {
        this.clock = clock;
        this.perSecond = perSecond;
        this.atLeast = atLeast;
        this.progressNanos = clock.nanoTime();
    }

    /** Asks for one message to be handed in. */
    synchronized Decision admit(String client, Duration maxWait, long maxQueued) {
        Line line = lines.computeIfAbsent(client, unseen -> new Line());
        long position = line.waiting() + line.coming + 1;
        if (position > maxQueued) {
            return new Decision.TooMany(position - 1);
        }
        Wait wait = waitOf(line, position);
        if (wait.expected().compareTo(maxWait) > 0) {
            return new Decision.TooLong(wait);
        }
        line.coming++;
        return new Decision.Admitted();
    }

    /** What was admitted has been handed in, or has not. */
    synchronized void settled(String client) {
        Line line = lines.get(client);
        if (line != null && line.coming > 0) {
            line.coming--;
        }
    }

    /** How clients stand after this instance handed in messages of theirs. */
    synchronized void accepted(Map<String, MessageTable.Count> counts) {
        counts.forEach((client, count) -> {
            Line line = lines.computeIfAbsent(client, unseen -> new Line());
            advance(line, count.accepted(), count.ended());
        });
    }

    /** So many messages of a client have ended by now. */
    synchronized void ended(Map<String, Long> counts) {
        counts.forEach((client, count) -> {
            Line line = lines.get(client);
            if (line != null && count > line.ended) {
                advance(line, 0, count);
                progressNanos = clock.nanoTime();
            }
        });
    }

    /** How many each client has handed in, as far as is known; to be taken before the database is asked for {@link #refresh}. */
    synchronized Map<String, Long> known() {
        Map<String, Long> known = new HashMap<>();
        lines.forEach((client, line) -> known.put(client, line.accepted));
        return known;
    }

    /**
     * What the database says of all clients that have something waiting.
     *
     * @param before what was known before it was asked: a client of which it says nothing has nothing waiting, unless it has handed in
     *     more since
     */
    synchronized void refresh(Map<String, Long> before, Map<String, MessageTable.Count> counts) {
        boolean progress = counts.isEmpty();
        for (Map.Entry<String, Line> each : lines.entrySet()) {
            Line line = each.getValue();
            Long accepted = before.get(each.getKey());
            if (!counts.containsKey(each.getKey()) && accepted != null && accepted > line.ended) {
                progress = true;
                advance(line, 0, accepted);
            }
        }
        for (Map.Entry<String, MessageTable.Count> client : counts.entrySet()) {
            Line line = lines.computeIfAbsent(client.getKey(), unseen -> new Line());
            progress |= client.getValue().ended() > line.ended;
            advance(line, client.getValue().accepted(), client.getValue().ended());
        }
        if (progress) {
            progressNanos = clock.nanoTime();
        }
        lines.values().removeIf(line -> line.waiting() == 0 && line.coming == 0);
        List<Long> waiting = new ArrayList<>(lines.size());
        lines.values().forEach(line -> {
            line.inBacklog = line.waiting();
            waiting.add(line.inBacklog);
        });
        backlog = Backlog.of(waiting);
    }

    /** Numbers that are older than what is known change nothing. */
    private void advance(Line line, long accepted, long ended) {
        queued -= line.waiting();
        line.accepted = Math.max(line.accepted, accepted);
        line.ended = Math.max(line.ended, ended);
        queued += line.waiting();
    }

    /** How the message with this number in its client's line stands. */
    synchronized Standing standing(String client, long number) {
        Line line = lines.getOrDefault(client, new Line());
        Wait wait = waitOf(line, Math.max(1, number - line.ended));
        return new Standing(wait, queued, line.waiting(), standstillNow());
    }

    private Wait waitOf(Line line, long position) {
        return Wait.of(backlog, position, line.inBacklog, perSecond.getAsDouble(), standstillNow(), atLeast.get());
    }

    /** For how long nothing has ended although messages wait; zero while that is not out of the ordinary. */
    synchronized Duration standstill() {
        return standstillNow();
    }

    private Duration standstillNow() {
        Duration since = Duration.ofNanos(clock.nanoTime() - progressNanos);
        return backlog.total() == 0 || since.compareTo(STANDSTILL_AFTER) < 0 ? Duration.ZERO : since;
    }

    /** Messages of one client that wait. */
    synchronized long waiting(String client) {
        Line line = lines.get(client);
        return line == null ? 0 : line.waiting();
    }

    /** Messages of all clients that wait. */
    synchronized long waiting() {
        return queued;
    }
}
