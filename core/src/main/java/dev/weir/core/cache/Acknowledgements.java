package dev.weir.core.cache;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Who has handled an invalidation of a strict cache, and who has to. Several callers may wait for the same one, and some of
 * them may give up, so it is time that ends it, not a caller. Any thread may call it.
 */
final class Acknowledgements {

    private record Id(String cache, long sequence) {}

    private final Map<Id, Sent> messages = new HashMap<>();

    private static final class Sent {
        private final CompletableFuture<Boolean> all = new CompletableFuture<>();
        private final Set<String> handledBy = new HashSet<>();
        private final long sentAtNanos;
        private @Nullable Set<String> awaited;

        Sent(long sentAtNanos) {
            this.sentAtNanos = sentAtNanos;
        }
    }

    /** Before the message is sent, for an answer can overtake the reply to the sender. */
    synchronized void expect(String cache, long sequence, long nowNanos) {
        messages.put(new Id(cache, sequence), new Sent(nowNanos));
    }

    /** Completes with true once all who have to have handled the message; at once where that is no longer asked for. */
    synchronized CompletableFuture<Boolean> all(String cache, long sequence) {
        Sent sent = messages.get(new Id(cache, sequence));
        return sent == null ? CompletableFuture.completedFuture(true) : sent.all;
    }

    /** Says who has to. */
    synchronized void await(String cache, long sequence, Set<String> nodes) {
        Sent sent = messages.get(new Id(cache, sequence));
        if (sent != null) {
            sent.awaited = new HashSet<>(nodes);
            completeWhenAll(sent);
        }
    }

    /**
     * Only these believe by now; whoever else was awaited holds nothing up any longer. Where it could not be told who has to
     * when the publisher's own message came back, these are the ones: whoever believes by a later beat had handled it before.
     */
    synchronized void awaitNoOthers(Set<String> nodes, String publisher) {
        messages.values().forEach(sent -> {
            if (sent.awaited != null) {
                sent.awaited.retainAll(nodes);
            } else if (sent.handledBy.contains(publisher)) {
                sent.awaited = new HashSet<>(nodes);
            }
            completeWhenAll(sent);
        });
    }

    synchronized void handled(String cache, long sequence, String by) {
        Sent sent = messages.get(new Id(cache, sequence));
        if (sent != null) {
            sent.handledBy.add(by);
            completeWhenAll(sent);
        }
    }

    /** The message was not sent. */
    synchronized void forget(String cache, long sequence) {
        messages.remove(new Id(cache, sequence));
    }

    /** Nobody waits any longer for what was sent before. */
    synchronized void forgetSentBefore(long nanos) {
        messages.values().removeIf(sent -> sent.sentAtNanos - nanos < 0);
    }

    synchronized int size() {
        return messages.size();
    }

    private static void completeWhenAll(Sent sent) {
        if (sent.awaited != null && sent.handledBy.containsAll(sent.awaited)) {
            sent.all.complete(true);
        }
    }
}
