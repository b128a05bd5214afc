package dev.weir.starter.cache;

import dev.weir.core.cache.LayeredCache;
import dev.weir.core.cache.Reservation;
import java.util.BitSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tells a fill from a put. {@code @Cacheable} without {@code sync} asks for a key, calls its method and then puts; the
 * cache sees two calls. So a miss leaves a reservation with the thread, and a put of the same key by the same thread soon
 * after is the fill that it was made for: told to no other node, refused if the key was evicted in between. Later
 * than the lease lasts, or as the second one after two misses, it may be either, and is made an eviction.
 *
 * <p>A method that throws never puts, so misses gather. Of those that find no room any more a bit stays, found again by their
 * hash (a Bloom filter with one function), for as long as the thread lives: a load has no longest time after which its put
 * would be known for a put of its own. Such a bit makes evictions of the puts of other keys too, one in so many as there are bits
 * for each key forgotten.
 */
final class MissedReads {

    private static final int MOST = 256;
    private static final int BITS_FOR_FORGOTTEN = 1 << 16;

    private record Read(LayeredCache<Object, Object> cache, Object key) {
        int bit() {
            int hash = (31 * cache.hashCode() + key.hashCode()) * 0x9E3779B9;
            return (hash ^ (hash >>> 16)) & (BITS_FOR_FORGOTTEN - 1);
        }
    }

    /** What a put finds of the thread's misses of its key. */
    sealed interface Found {}

    /**
     * What a miss left.
     *
     * @param fillable whether the value read may be kept at all
     * @param again whether the put of an earlier miss of the key may still come
     */
    record Missed(Reservation<Object> reservation, boolean fillable, long atNanos, boolean again) implements Found {
        Missed(Reservation<Object> reservation, boolean fillable, long atNanos) {
            this(reservation, fillable, atNanos, false);
        }

        private Missed onceMore() {
            return new Missed(reservation, fillable, atNanos, true);
        }
    }

    /** There was a miss that cannot be relied on any more, or there may have been one. */
    record Lost() implements Found {}

    /** There was no miss. */
    record None() implements Found {}

    private static final Found LOST = new Lost();
    private static final Found NONE = new None();
    private static final ThreadLocal<@Nullable MissedReads> BY_THREAD = new ThreadLocal<>();

    private final Map<Read, Found> reads = new LinkedHashMap<>();
    private final BitSet forgotten = new BitSet();

    private MissedReads() {}

    static void add(LayeredCache<Object, Object> cache, Object key, Missed missed) {
        MissedReads mine = BY_THREAD.get();
        if (mine == null) {
            mine = new MissedReads();
            BY_THREAD.set(mine);
        }
        mine.add(new Read(cache, key), missed);
    }

    /** Takes what the thread's last miss of this key left. */
    static Found take(LayeredCache<Object, Object> cache, Object key, long nowNanos) {
        MissedReads mine = BY_THREAD.get();
        if (mine == null) {
            return NONE;
        }
        Read read = new Read(cache, key);
        Found found = mine.take(read);
        if (mine.reads.isEmpty() && mine.forgotten.isEmpty()) {
            BY_THREAD.remove();
        }
        boolean late = found instanceof Missed missed
                && nowNanos - missed.atNanos() >= cache.config().leaseFor().toNanos();
        return late ? LOST : found;
    }

    private void add(Read read, Missed missed) {
        Found before = reads.remove(read);
        reads.put(read, before == null ? missed : missed.onceMore());
        if (reads.size() > MOST) {
            forgetOldest();
        }
    }

    private Found take(Read read) {
        Found found = reads.remove(read);
        if (found instanceof Missed missed && missed.again()) {
            reads.put(read, LOST);
        }
        if (found != null) {
            return found;
        }
        return forgotten.get(read.bit()) ? LOST : NONE;
    }

    private void forgetOldest() {
        Iterator<Read> oldest = reads.keySet().iterator();
        forgotten.set(oldest.next().bit());
        oldest.remove();
    }
}
