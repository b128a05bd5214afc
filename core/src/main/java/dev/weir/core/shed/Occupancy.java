package dev.weir.core.shed;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Requests in flight and admitted so far, a word each priority: the low 20 bits count what is in flight, the rest what was
 * ever admitted, so one addition keeps both and the completions are their difference.
 *
 * <p>Entering adds first and looks after: {@link #enter} returns the state that includes the caller, who calls
 * {@link #undo} when that is too much. All words are sequentially consistent, so of several that enter at once the last
 * one to add sees all others. Hence the places held never exceed the limit; the price is that two who race for the last
 * place may both be turned away, and that {@link #inFlight} may for a moment show one who is about to be.
 */
final class Occupancy {

    static final int MOST_IN_FLIGHT = 1_000_000;

    private static final int BITS = 20;
    private static final long MASK = (1L << BITS) - 1;
    private static final long ONE_ENTERED = (1L << BITS) + 1;
    /** Longs between two words: two cache lines, since lines are fetched in pairs. */
    private static final int STRIDE = 16;

    private final AtomicLongArray words = new AtomicLongArray(STRIDE * (Priority.COUNT + 1));

    /** Counts one in and returns its word after that. */
    long enter(Priority priority) {
        return words.addAndGet(index(priority.index()), ONE_ENTERED);
    }

    void undo(Priority priority) {
        words.getAndAdd(index(priority.index()), -ONE_ENTERED);
    }

    void leave(Priority priority) {
        words.getAndAdd(index(priority.index()), -1);
    }

    static int inFlightIn(long word) {
        return (int) (word & MASK);
    }

    static long admittedIn(long word) {
        return word >>> BITS;
    }

    int inFlight(Priority priority) {
        return inFlightIn(words.get(index(priority.index())));
    }

    int inFlight() {
        return inFlightIn(words.get(index(0))) + inFlightIn(words.get(index(1))) + inFlightIn(words.get(index(2)));
    }

    /** All in flight, where the word of one priority was just read. */
    int inFlightBeside(Priority priority, long word) {
        return switch (priority) {
            case CRITICAL -> inFlightIn(word) + inFlightIn(words.get(index(1))) + inFlightIn(words.get(index(2)));
            case NORMAL -> inFlightIn(words.get(index(0))) + inFlightIn(word) + inFlightIn(words.get(index(2)));
            case LOW -> inFlightIn(words.get(index(0))) + inFlightIn(words.get(index(1))) + inFlightIn(word);
        };
    }

    long admitted(Priority priority) {
        return admittedIn(words.get(index(priority.index())));
    }

    /** Ended so far, of all priorities. */
    long completed() {
        long completed = 0;
        for (int i = 0; i < Priority.COUNT; i++) {
            long word = words.get(index(i));
            completed += admittedIn(word) - inFlightIn(word);
        }
        return completed;
    }

    private static int index(int priority) {
        return STRIDE * (priority + 1);
    }
}
