package dev.weir.core.cache;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What refuses a fill that raced an invalidation.
 *
 * <p>A read takes a {@link Token} before it looks anywhere; an invalidation advances the version of the key's stripe,
 * one of the whole cache advances the generation. A value may be stored, and a stored value may be handed out, only
 * while its token equals the present state. Versions only grow, so no two states of a stripe are alike and a token can
 * never become valid again; a shared marker in the map, as other caches use it, can. Because stored entries are checked on every read,
 * invalidating needs neither the key object nor a walk over the map, and dropping a whole cache is one increment.
 *
 * <p>Keys that share a stripe are invalidated together. With four stripes per entry an invalidation takes a quarter of an
 * unrelated entry with it on average, which costs a read of the next layer and never a wrong answer.
 *
 * <p>Memory ordering: an invalidation is a volatile write, the check a volatile read, so a check that begins after the
 * invalidation returned sees it.
 */
final class Stamps {
    private static final int STRIPES_PER_ENTRY = 4;
    private static final int FEWEST = 1 << 8;
    private static final int MOST = 1 << 18;

    private final AtomicLongArray versions;
    private final AtomicLong generation = new AtomicLong();
    private final int mask;

    Stamps(long maxEntries) {
        long wanted = Math.min(MOST, Math.max(FEWEST, maxEntries * STRIPES_PER_ENTRY));
        int stripes = Integer.highestOneBit((int) wanted - 1) << 1;
        this.versions = new AtomicLongArray(stripes);
        this.mask = stripes - 1;
    }

    int stripe(String key) {
        int hash = key.hashCode() * 0x9E3779B9;
        return (hash ^ (hash >>> 15)) & mask;
    }

    Token take(int stripe) {
        return new Token(stripe, versions.get(stripe), generation.get());
    }

    boolean valid(Token token) {
        return versions.get(token.stripe()) == token.version() && generation.get() == token.generation();
    }

    void invalidate(int stripe) {
        versions.incrementAndGet(stripe);
    }

    void invalidateAll() {
        generation.incrementAndGet();
    }

    int stripes() {
        return mask + 1;
    }
}
