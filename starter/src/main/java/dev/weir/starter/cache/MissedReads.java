package dev.weir.starter.cache;

import dev.weir.core.cache.LayeredCache;
import dev.weir.core.cache.Reservation;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tells a fill from a put. {@code @Cacheable} without {@code sync} asks for a key, calls its method and then puts; the
 * cache sees two calls. So a miss leaves a reservation with the thread, and a put of the same key by the same thread soon
 * after is the fill that it was made for: told to no other node, refused if the key was evicted in between. Later
 * than the lease lasts, or after more misses than are remembered, it may be either, and is made an eviction.
 */
final class MissedReads {

    private static final int MOST = 256;

    private record Read(LayeredCache<Object, Object> cache, Object key) {}

    /** What a put finds of the thread's misses of its key. */
    sealed interface Found {}

    /**
     * What a miss left.
     *
     * @param fillable whether the value read may be kept at all
     */
    record Missed(Reservation<Object> reservation, boolean fillable, long atNanos) implements Found {}

    /** There was a miss that cannot be relied on any more, or there may have been one. */
    record Lost() implements Found {}

    /** There was no miss. */
    record None() implements Found {}

    private static final Found LOST = new Lost();
    private static final Found NONE = new None();
    private static final ThreadLocal<@Nullable MissedReads> BY_THREAD = new ThreadLocal<>();

    private final Map<Read, Missed> reads = new LinkedHashMap<>();
    private boolean overflown;
    private long overflownAtNanos;

    private MissedReads() {}

    static void add(LayeredCache<Object, Object> cache, Object key, Missed missed) {
        MissedReads mine = BY_THREAD.get();
        if (mine == null) {
            mine = new MissedReads();
            BY_THREAD.set(mine);
        }
        mine.reads.put(new Read(cache, key), missed);
        if (mine.reads.size() > MOST) {
            mine.reads.remove(mine.reads.keySet().iterator().next());
            mine.overflown = true;
            mine.overflownAtNanos = missed.atNanos();
        }
    }

    /** Takes what the thread's last miss of this key left. */
    static Found take(LayeredCache<Object, Object> cache, Object key, long nowNanos) {
        MissedReads mine = BY_THREAD.get();
        if (mine == null) {
            return NONE;
        }
        long lastsNanos = cache.config().leaseFor().toNanos();
        Missed missed = mine.reads.remove(new Read(cache, key));
        boolean maybeForgotten = mine.overflown && nowNanos - mine.overflownAtNanos < lastsNanos;
        if (mine.reads.isEmpty() && !maybeForgotten) {
            BY_THREAD.remove();
        }
        if (missed == null) {
            return maybeForgotten ? LOST : NONE;
        }
        return nowNanos - missed.atNanos() < lastsNanos ? missed : LOST;
    }
}
