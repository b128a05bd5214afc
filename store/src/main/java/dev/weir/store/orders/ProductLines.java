package dev.weir.store.orders;

import dev.weir.store.problems.ProblemException;
import dev.weir.store.problems.ProblemType;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Lets orders of one product wait for their turn before they take a connection.
 *
 * <p>The database serves one transaction after another at a product's row. Those that wait there hold a connection each, so a
 * single popular product fills the pool, and the orders that are paid and only to be confirmed find none. Here two of an
 * instance are at a product at once: one at its row, and one that gets ready meanwhile. Products share a number of lines, which
 * makes a few wait that need not, and are taken in the order of the lines, so that no two orders wait for each other.
 */
final class ProductLines {

    private static final int LINES = 4_096;
    private static final int AT_ONCE = 2;

    private final Semaphore[] lines = new Semaphore[LINES];
    private final Duration patience;

    ProductLines(Duration patience) {
        this.patience = patience;
        for (int i = 0; i < LINES; i++) {
            lines[i] = new Semaphore(AT_ONCE, true);
        }
    }

    /**
     * Does the work when it is the order's turn at all its products; blocks until then.
     *
     * @throws ProblemException if its turn does not come within the patience, or the thread is interrupted before
     */
    <T> T inTurn(NewOrder order, Supplier<T> work) {
        int[] wanted = order.lines().stream()
                .mapToInt(line -> Long.hashCode(line.productId()) & (LINES - 1))
                .sorted()
                .distinct()
                .toArray();
        long endNanos = System.nanoTime() + patience.toNanos();
        int taken = 0;
        try {
            while (taken < wanted.length) {
                take(lines[wanted[taken]], endNanos);
                taken++;
            }
            return work.get();
        } finally {
            for (int i = 0; i < taken; i++) {
                lines[wanted[i]].release();
            }
        }
    }

    private static void take(Semaphore line, long endNanos) {
        try {
            if (line.tryAcquire(endNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw OrderProblems.interrupted();
        }
        throw new ProblemException(ProblemType.DATABASE_BUSY, "Too many orders wait for this product: try again later.")
                .retryAfter(Duration.ofSeconds(1));
    }

    /** Orders that wait at the longest line; for tests. */
    int longest() {
        return Arrays.stream(lines).mapToInt(Semaphore::getQueueLength).max().orElse(0);
    }
}
