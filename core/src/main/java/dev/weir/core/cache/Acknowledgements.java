package dev.weir.core.cache;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Counts who has handled an invalidation of a strict cache. Any thread may call it. */
final class Acknowledgements {
    private static final long NOT_KNOWN = -1;

    private record Id(String cache, long sequence) {}

    private final Map<Id, Count> counts = new HashMap<>();

    private static final class Count {
        private final CompletableFuture<Boolean> all = new CompletableFuture<>();
        private long handled;
        private long receivers = NOT_KNOWN;
    }

    /** Before the message is sent, for an answer can overtake the reply to the sender. */
    synchronized void expect(String cache, long sequence) {
        counts.put(new Id(cache, sequence), new Count());
    }

    /** Completes with true once as many nodes have handled the message as it was handed to. */
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

    /** Nobody waits any longer. */
    synchronized void forget(String cache, long sequence) {
        counts.remove(new Id(cache, sequence));
    }

    private static void completeWhenAll(Count count) {
        if (count.receivers != NOT_KNOWN && count.handled >= count.receivers) {
            count.all.complete(true);
        }
    }
}
