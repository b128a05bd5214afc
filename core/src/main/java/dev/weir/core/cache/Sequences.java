package dev.weir.core.cache;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds gaps. Each publisher numbers its invalidations of each cache from 1 and repeats the last numbers in its beats, so
 * that the loss of a last message shows too. No gap is tolerated. What a publisher had sent before this node subscribed
 * is learned while settling, and does not count as a gap. Not safe for use by several threads.
 */
final class Sequences {
    private final Map<String, Publisher> publishers = new HashMap<>();
    private boolean learning = true;

    /** A new subscription: what was missed before does not matter, for everything was dropped. */
    void restart() {
        publishers.clear();
        learning = true;
    }

    /** From now on an unknown publisher must begin at its start. */
    void learned() {
        learning = false;
    }

    /** Whether messages before this one are missing. */
    boolean gapBefore(String publisher, String cache, long sequence, long nowNanos) {
        Publisher from = heard(publisher, nowNanos);
        long expected = from.next.getOrDefault(cache, 1L);
        from.next.put(cache, Math.max(expected, sequence + 1));
        return !learning && sequence > expected;
    }

    /** The caches of which messages are missing, by the last numbers in a beat. */
    List<String> gapsUpTo(String publisher, Map<String, Long> last, long nowNanos) {
        Publisher from = heard(publisher, nowNanos);
        List<String> gaps = new ArrayList<>();
        last.forEach((cache, sequence) -> {
            long expected = from.next.getOrDefault(cache, 1L);
            if (sequence >= expected) {
                from.next.put(cache, sequence + 1);
                if (!learning) {
                    gaps.add(cache);
                }
            }
        });
        return gaps;
    }

    /**
     * Forgets publishers not heard of since; one that comes back is a gap. Whether there were any: their last messages may
     * be lost, and the beats that would show it too.
     */
    boolean forgetSilentSince(long nanos) {
        return publishers.values().removeIf(publisher -> publisher.heardAtNanos - nanos < 0);
    }

    /** A publisher has said that it sends nothing more. */
    void left(String publisher) {
        publishers.remove(publisher);
    }

    private Publisher heard(String id, long nowNanos) {
        Publisher publisher = publishers.computeIfAbsent(id, unknown -> new Publisher());
        publisher.heardAtNanos = nowNanos;
        return publisher;
    }

    private static final class Publisher {
        private final Map<String, Long> next = new HashMap<>();
        private long heardAtNanos;
    }
}
