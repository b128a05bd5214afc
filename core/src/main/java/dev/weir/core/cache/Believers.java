package dev.weir.core.cache;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which nodes may believe their entries, as seen by one that hears the same channel.
 *
 * <p>A node believes for one bound after it sent a beat that came back. Messages of one channel are in the same order for
 * all, so whoever hears its own message has heard every beat published before. A node of which no beat was heard in the
 * last bound therefore does not believe, and it takes a bound on the channel to tell. How many subscribers Redis counts
 * would not do: it may have ended a subscription of which the node does not know yet.
 *
 * <p>Not safe for use by several threads.
 */
final class Believers {
    private final long boundNanos;
    private final Map<String, Long> heardAtNanos = new HashMap<>();
    private long listeningSinceNanos;

    Believers(long boundNanos, long nowNanos) {
        this.boundNanos = boundNanos;
        this.listeningSinceNanos = nowNanos;
    }

    /**
     * The subscription has ended. Where nobody at all, this node included, was heard of for a bound, the outage began before that
     * and nobody believes; the end of a connection that had been dead for so long is no news, and costs no further bound.
     */
    void lost(long nowNanos) {
        Set<String> may = at(nowNanos);
        if (may == null || !may.isEmpty()) {
            restart(nowNanos);
        }
    }

    /** A new subscription. */
    void restart(long nowNanos) {
        heardAtNanos.clear();
        listeningSinceNanos = nowNanos;
    }

    /** A beat of that node. */
    void heard(String node, long nowNanos) {
        heardAtNanos.put(node, nowNanos);
    }

    void left(String node) {
        heardAtNanos.remove(node);
    }

    /** Null while it cannot be told. */
    @Nullable
    Set<String> at(long nowNanos) {
        if (nowNanos - listeningSinceNanos < boundNanos) {
            return null;
        }
        return heardAtNanos.entrySet().stream()
                .filter(heard -> nowNanos - heard.getValue() <= boundNanos)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** Whether no node but this one may believe. */
    boolean noneBut(String node, long nowNanos) {
        Set<String> may = at(nowNanos);
        return may != null && Set.of(node).containsAll(may);
    }

    void forgetUnheardSince(long nanos) {
        heardAtNanos.values().removeIf(heard -> heard - nanos < 0);
    }
}
