package dev.weir.core.route;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What one user's reads must show: all that the same user wrote before. Lives for a request; between requests its position
 * travels in a token. May be used by several threads; bound to each by {@link #open}.
 */
public final class RouteSession {

    private static final ThreadLocal<@Nullable RouteSession> CURRENT = new ThreadLocal<>();

    private final AtomicLong neededLsn;
    private final LongConsumer onWrite;

    /**
     * @param neededLsn what earlier requests wrote; {@link Lsn#NONE} when nothing is known
     * @param onWrite called after each commit that raised the position, with its own, on the committing thread, and when a position
     *     that cannot be was corrected; of two commits at once the earlier one may come last; must not throw
     */
    public RouteSession(long neededLsn, LongConsumer onWrite) {
        this.neededLsn = new AtomicLong(neededLsn);
        this.onWrite = onWrite;
    }

    /** The session bound to the calling thread. */
    public static @Nullable RouteSession current() {
        return CURRENT.get();
    }

    /** What reads of this session need. */
    public long neededLsn() {
        return neededLsn.get();
    }

    /** The session's writes up to this position are committed. */
    public void wrote(long lsn) {
        if (neededLsn.getAndAccumulate(lsn, Math::max) < lsn) {
            onWrite.accept(lsn);
        }
    }

    /**
     * Replaces a position that cannot be by one that can; the client is told as of a write.
     *
     * @return whether the session still needed that position
     */
    boolean correct(long impossibleLsn, long lsn) {
        boolean corrected = neededLsn.compareAndSet(impossibleLsn, lsn);
        if (corrected) {
            onWrite.accept(lsn);
        }
        return corrected;
    }

    /** Binds this session to the calling thread until the binding is closed, on the same thread. */
    public Binding open() {
        RouteSession before = CURRENT.get();
        CURRENT.set(this);
        return new Binding(before);
    }

    /** The session bound to a thread; closing brings back what was bound before. */
    public static final class Binding implements AutoCloseable {

        private final @Nullable RouteSession before;

        private Binding(@Nullable RouteSession before) {
            this.before = before;
        }

        @Override
        public void close() {
            if (before == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(before);
            }
        }
    }
}
