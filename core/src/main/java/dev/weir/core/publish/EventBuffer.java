package dev.weir.core.publish;

import dev.weir.core.publish.Transport.Opening;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What waits, and what may go next: all decisions of a publisher, fed with the time.
 *
 * <p>Each topic has a line of its own, so that one that takes nothing holds back no other. Within a line the order is that of
 * acceptance, always: what comes back goes to the head, by its number. The bound counts events until they are acknowledged; only
 * {@link #release} and the sizes may be called without the publisher's lock.
 */
final class EventBuffer {
    private final PublisherConfig config;
    private final Backoff backoff;
    private final Map<String, TopicLine> lines = new LinkedHashMap<>();
    private final AtomicInteger heldEvents = new AtomicInteger();
    private final AtomicLong heldBytes = new AtomicLong();
    private long nextSequence;
    private int waiting;
    private int ready;
    private int turn;

    EventBuffer(PublisherConfig config) {
        this.config = config;
        this.backoff = config.backoff();
    }

    long nextSequence() {
        return nextSequence++;
    }

    /** Why an event of this topic and size cannot be taken; null if it can. */
    Publication.@Nullable Refused refusal(String topic, int bytes, String trouble) {
        TopicLine line = lines.get(topic);
        if (line != null && line.refusal != null) {
            line.wanted = true;
            return new Publication.TopicRefused(topic, line.refusal);
        }
        int events = heldEvents.get();
        long allBytes = heldBytes.get();
        if (events >= config.bufferEvents() || allBytes + bytes > config.bufferBytes()) {
            return full(events, allBytes, trouble);
        }
        if (line != null && line.absent && line.queue.size() >= (config.bufferEvents() + 1) / 2) {
            return full(events, allBytes, " Half of it waits for the topic " + topic + ": " + line.reason + ".");
        }
        return null;
    }

    private Publication.BufferFull full(int events, long bytes, String trouble) {
        return new Publication.BufferFull(events, config.bufferEvents(), bytes, config.bufferBytes(), trouble);
    }

    /** Takes an event; answers whether the sending thread has to know now. */
    boolean add(Pending pending) {
        heldEvents.incrementAndGet();
        heldBytes.addAndGet(pending.bytes());
        TopicLine line = lines.computeIfAbsent(pending.event().topic(), TopicLine::new);
        line.queue.addLast(pending);
        waiting++;
        if (line.isOpen()) {
            ready++;
            return ready == 1 || ready == config.batchEvents();
        }
        return line.door == TopicLine.Door.UNKNOWN;
    }

    /** An event has ended; any thread, no lock. */
    void release(Pending pending) {
        heldEvents.decrementAndGet();
        heldBytes.addAndGet(-pending.bytes());
    }

    int heldEvents() {
        return heldEvents.get();
    }

    long heldBytes() {
        return heldBytes.get();
    }

    double pressure() {
        double byEvents = (double) heldEvents.get() / config.bufferEvents();
        double byBytes = (double) heldBytes.get() / config.bufferBytes();
        return Math.min(1, Math.max(0, Math.max(byEvents, byBytes)));
    }

    int waiting() {
        return waiting;
    }

    boolean hasReady() {
        return ready > 0;
    }

    int onHold() {
        return (int) lines.values().stream().filter(line -> line.reason != null).count();
    }

    /** Topics to ask the transport about now. */
    List<String> toAsk(long nowNanos) {
        List<String> topics = new ArrayList<>();
        for (TopicLine line : List.copyOf(lines.values())) {
            if (isDue(line, nowNanos)) {
                if (line.refusal != null && !line.wanted) {
                    lines.remove(line.topic());
                    continue;
                }
                line.door = TopicLine.Door.ASKED;
                line.wanted = false;
                topics.add(line.topic());
            }
        }
        return topics;
    }

    private static boolean isDue(TopicLine line, long nowNanos) {
        return line.door == TopicLine.Door.UNKNOWN
                || (line.door == TopicLine.Door.HELD && nowNanos - line.askAgainAtNanos >= 0);
    }

    /** Takes the transport's answer about a topic; answers the events that fail by it. */
    List<Pending> answered(String topic, Opening opening, long nowNanos, double random) {
        TopicLine line = lines.get(topic);
        if (line == null || line.door != TopicLine.Door.ASKED) {
            return List.of();
        }
        return switch (opening) {
            case Opening.Opened opened -> open(line);
            case Opening.Unreachable(String reason) -> {
                line.absent = false;
                hold(line, reason, nowNanos, random);
                yield List.of();
            }
            case Opening.Absent(String reason) -> absent(line, reason, nowNanos, random);
            case Opening.Denied(String reason) -> deny(line, reason, nowNanos, random);
        };
    }

    private List<Pending> open(TopicLine line) {
        line.door = TopicLine.Door.OPEN;
        line.failures = 0;
        line.absent = false;
        line.refusal = null;
        line.reason = null;
        ready += line.queue.size();
        return List.of();
    }

    private List<Pending> absent(TopicLine line, String reason, long nowNanos, double random) {
        if (!line.absent) {
            line.absent = true;
            line.absentSinceNanos = nowNanos;
        }
        if (line.refusal != null
                || nowNanos - line.absentSinceNanos >= config.topicPatience().toNanos()) {
            return deny(line, reason, nowNanos, random);
        }
        hold(line, reason, nowNanos, random);
        return List.of();
    }

    private List<Pending> deny(TopicLine line, String reason, long nowNanos, double random) {
        hold(line, reason, nowNanos, random);
        line.refusal = reason;
        line.askAgainAtNanos = nowNanos + backoff.mostNanos();
        List<Pending> failing = List.copyOf(line.queue);
        waiting -= line.queue.size();
        line.queue.clear();
        return failing;
    }

    private void hold(TopicLine line, String reason, long nowNanos, double random) {
        if (line.isOpen()) {
            ready -= line.queue.size();
        }
        line.door = TopicLine.Door.HELD;
        line.reason = reason;
        line.failures++;
        line.askAgainAtNanos = nowNanos + backoff.pauseNanos(line.failures, random);
    }

    /** The transport had no room for this topic: a pause, then it is asked again. */
    void noRoom(String topic, long nowNanos, double random) {
        TopicLine line = lines.get(topic);
        if (line != null && line.isOpen()) {
            hold(line, "the client has no room for it", nowNanos, random);
        }
    }

    /** The next batch, in order per topic; empty while it is better to wait for more. */
    List<Pending> take(long nowNanos, boolean atOnce) {
        if (ready == 0 || !(atOnce || ready >= config.batchEvents() || oldestIsDue(nowNanos))) {
            return List.of();
        }
        List<Pending> batch = new ArrayList<>(Math.min(ready, config.batchEvents()));
        List<TopicLine> all = new ArrayList<>(lines.values());
        for (int i = 0; i < all.size() && batch.size() < config.batchEvents(); i++) {
            TopicLine line = all.get((turn + i) % all.size());
            if (line.isOpen()) {
                takeFrom(line, batch);
            }
        }
        turn = (turn + 1) % all.size();
        waiting -= batch.size();
        ready -= batch.size();
        return batch;
    }

    private void takeFrom(TopicLine line, List<Pending> batch) {
        while (batch.size() < config.batchEvents()) {
            Pending head = line.queue.pollFirst();
            if (head == null) {
                return;
            }
            batch.add(head);
        }
    }

    private boolean oldestIsDue(long nowNanos) {
        for (TopicLine line : lines.values()) {
            Pending head = line.queue.peekFirst();
            if (head != null
                    && line.isOpen()
                    && head.ageNanos(nowNanos) >= config.linger().toNanos()) {
                return true;
            }
        }
        return false;
    }

    /** Puts back to the heads of their lines what had been taken. */
    void putBack(List<Pending> taken) {
        List<Pending> youngestFirst = new ArrayList<>(taken);
        youngestFirst.sort(Comparator.comparingLong(Pending::sequence).reversed());
        for (Pending pending : youngestFirst) {
            TopicLine line = lines.computeIfAbsent(pending.event().topic(), TopicLine::new);
            line.queue.addFirst(pending);
            waiting++;
            if (line.isOpen()) {
                ready++;
            }
        }
    }

    /** Takes out the events that have waited longer than they may. */
    List<Pending> takeTooOld(long nowNanos) {
        List<Pending> old = new ArrayList<>();
        for (TopicLine line : lines.values()) {
            for (Pending head = line.queue.peekFirst();
                    head != null && isTooOld(head, nowNanos);
                    head = line.queue.peekFirst()) {
                old.add(line.queue.removeFirst());
                waiting--;
                if (line.isOpen()) {
                    ready--;
                }
            }
        }
        return old;
    }

    boolean isTooOld(Pending pending, long nowNanos) {
        return pending.ageNanos(nowNanos) >= config.giveUpAfter().toNanos();
    }

    /** Another transport knows nothing of the topics. */
    void forgetOpenings() {
        for (TopicLine line : lines.values()) {
            if (line.refusal == null) {
                line.door = TopicLine.Door.UNKNOWN;
            } else if (line.door == TopicLine.Door.ASKED) {
                line.door = TopicLine.Door.HELD;
            }
        }
        ready = 0;
    }

    /** For how long there will be nothing to do, unless something happens; 0 if there is something now. */
    long nanosUntilWork(long nowNanos) {
        if (ready >= config.batchEvents()) {
            return 0;
        }
        long least = Long.MAX_VALUE;
        for (TopicLine line : lines.values()) {
            least = Math.min(least, nanosUntilWork(line, nowNanos));
        }
        return Math.max(0, least);
    }

    private long nanosUntilWork(TopicLine line, long nowNanos) {
        if (line.door == TopicLine.Door.UNKNOWN) {
            return 0;
        }
        long least = line.door == TopicLine.Door.HELD ? line.askAgainAtNanos - nowNanos : Long.MAX_VALUE;
        Pending head = line.queue.peekFirst();
        if (head != null) {
            long patience = line.isOpen()
                    ? config.linger().toNanos()
                    : config.giveUpAfter().toNanos();
            least = Math.min(least, patience - head.ageNanos(nowNanos));
        }
        return least;
    }

    /** Takes out everything. */
    List<Pending> takeAll() {
        List<Pending> all = new ArrayList<>();
        for (TopicLine line : lines.values()) {
            all.addAll(line.queue);
            line.queue.clear();
        }
        waiting = 0;
        ready = 0;
        return all;
    }
}
