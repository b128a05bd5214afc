package dev.weir.store.gateway;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * How many messages wait, by client, and how many of them go before a given one.
 *
 * <p>Clients are served in turns, so by the time a client's message at position k is sent, every other client has had min(its own
 * length, k) sent: the fluid model of fair queueing (Demers, Keshav, Shenker 1989). Immutable; a question costs the logarithm of the number of
 * clients.
 */
final class Backlog {

    static final Backlog EMPTY = of(List.of());

    private final long[] lengths;
    private final long[] sums;

    private Backlog(long[] lengths, long[] sums) {
        this.lengths = lengths;
        this.sums = sums;
    }

    /** Of these lengths, one for each client. */
    static Backlog of(Collection<Long> clients) {
        long[] lengths = clients.stream().mapToLong(Long::longValue).sorted().toArray();
        long[] sums = new long[lengths.length + 1];
        for (int i = 0; i < lengths.length; i++) {
            sums[i + 1] = sums[i] + lengths[i];
        }
        return new Backlog(lengths, sums);
    }

    /** All that wait. */
    long total() {
        return sums[lengths.length];
    }

    /** Clients that have something waiting. */
    int clients() {
        return lengths.length - firstAbove(0);
    }

    /**
     * Messages sent up to and including the one at a position of its client's own line.
     *
     * @param position from 1
     * @param own the length that this backlog holds for that client, 0 where it holds none
     */
    long upTo(long position, long own) {
        int longer = firstAbove(position);
        long shared = sums[longer] + (lengths.length - longer) * position;
        return position + shared - Math.min(own, position);
    }

    private int firstAbove(long length) {
        int found = Arrays.binarySearch(lengths, length);
        int index = found < 0 ? -found - 1 : found;
        while (index < lengths.length && lengths[index] <= length) {
            index++;
        }
        return index;
    }
}
