package dev.weir.core.cache;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Counts who has handled an invalidation of a strict cache. Several callers may wait for the same one, and some of them may
 * give up, so it is time that ends a count, not a caller. Any thread may call it.
 */
final class Acknowledgements {
    private static final long NOT_KNOWN = -1;

    private record Id(String cache, long sequence) {}

    private final Map<Id, Count> counts = new HashMap<>();

    private static final class Count {
        private final CompletableFuture<Boolean> all = new CompletableFuture<>();
        private final long sentAtNanos;
        private long handled;
        private long receivers = NOT_KNOWN;

        Count(long sentAtNanos) {
            this.sentAtNanos = sentAtNanos;
        }
    }

    /** Before the message is sent, for an answer can overtake the reply to the sender. */
    synchronized void expect(String cache, long sequence, long nowNanos) {
        counts.put(new Id(cache, sequence), new Count(nowNanos));
    }

    /**
     * Completes with true once as many nodes have handled the message as it was handed to; at once where that has happened,
     * or was sent so long ago that nobody is waited for.
     */
    synchronized CompletableFuture<Boolean> all(String cache, long sequence, long receivers) {
        Count count = counts.get(new Id(cache, sequence));
        if (count == null) {
            return CompletableFuture.completedFuture(true);
        }
        count.receivers = receivers;
        completeWhenAll(count);
        return count.all;
    }

    synchronized void handled(String cache, long sequence) {
        Count count = counts.get(new Id(cache, sequence));
        if (count != null) {
            count.handled++;
            completeWhenAll(count);
        }
    }

    /** The message was not sent. */
    synchronized void forget(String cache, long sequence) {
        counts.remove(new Id(cache, sequence));
    }

    /** Nobody waits any longer for what was sent before. */
    synchronized void forgetSentBefore(long nanos) {
        counts.values().removeIf(count -> count.sentAtNanos - nanos < 0);
    }

    synchronized int size() {
        return counts.size();
    }

    private static void completeWhenAll(Count count) {
        if (count.receivers != NOT_KNOWN && count.handled >= count.receivers) {
            count.all.complete(true);
        }
    }
}
