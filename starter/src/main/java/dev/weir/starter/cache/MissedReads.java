package dev.weir.starter.cache;

import dev.weir.core.cache.LayeredCache;
import dev.weir.core.cache.Reservation;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tells a fill from a put. {@code @Cacheable} without {@code sync} asks for a key, calls its method and then puts; the
 * cache sees two calls. So a miss leaves a reservation with the thread, and a put of the same key by the same thread soon
 * after is the fill that it was made for: told to no other node, refused if the key was evicted in between.
 */
final class MissedReads {

    private static final int MOST = 16;

    private record Read(LayeredCache<Object, Object> cache, Object key) {}

    /**
     * What a miss left.
     *
     * @param fillable whether the value read may be kept at all
     */
    record Missed(Reservation<Object> reservation, boolean fillable, long atNanos) {}

    private static final ThreadLocal<Map<Read, Missed>> BY_THREAD = new ThreadLocal<>();

    private MissedReads() {}

    static void add(LayeredCache<Object, Object> cache, Object key, Missed missed) {
        Map<Read, Missed> mine = BY_THREAD.get();
        if (mine == null) {
            mine = new LinkedHashMap<>();
            BY_THREAD.set(mine);
        }
        mine.put(new Read(cache, key), missed);
        if (mine.size() > MOST) {
            mine.remove(mine.keySet().iterator().next());
        }
    }

    /** Takes what the thread's last miss of this key left, if that was not too long ago. */
    static @Nullable Missed take(LayeredCache<Object, Object> cache, Object key, long nowNanos) {
        Map<Read, Missed> mine = BY_THREAD.get();
        if (mine == null) {
            return null;
        }
        Missed missed = mine.remove(new Read(cache, key));
        if (mine.isEmpty()) {
            BY_THREAD.remove();
        }
        return missed != null
                        && nowNanos - missed.atNanos()
                                < cache.config().leaseFor().toNanos()
                ? missed
                : null;
    }
}
