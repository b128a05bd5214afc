package dev.weir.core.cache;

import org.jspecify.annotations.Nullable;

/**
 * A value as the process keeps it. It can carry one object made from the value, such as its encoded bytes, which is
 * dropped with it: an invalidated or replaced entry is never handed out again, and neither is what hangs on it.
 *
 * @param <V> the value
 */
public final class Entry<V> {
    private final @Nullable V value;
    private final Token token;
    private final long id;
    private final long freshAsOfNanos;
    private final long expiresAtNanos;
    private long refreshPauseNanos;
    private volatile long refreshAtNanos;
    private volatile @Nullable Object attachment;

    Entry(@Nullable V value, Token token, long id, long freshAsOfNanos, long expiresAtNanos, long refreshAtNanos) {
        this.value = value;
        this.token = token;
        this.id = id;
        this.freshAsOfNanos = freshAsOfNanos;
        this.expiresAtNanos = expiresAtNanos;
        this.refreshAtNanos = refreshAtNanos;
    }

    /** The value; null for a key known to have none. */
    public @Nullable V value() {
        return value;
    }

    /** What was attached last, or null. Any thread may call it. */
    public @Nullable Object attachment() {
        return attachment;
    }

    /** Attaches an object made from the value, in place of an earlier one. Any thread may call it; the last one wins. */
    public void attach(@Nullable Object made) {
        attachment = made;
    }

    Token token() {
        return token;
    }

    /** Which fill of the shared layer this value is; 0 if it did not pass through it. */
    long id() {
        return id;
    }

    /** The value was current at this time. */
    long freshAsOfNanos() {
        return freshAsOfNanos;
    }

    long expiresAtNanos() {
        return expiresAtNanos;
    }

    long refreshAtNanos() {
        return refreshAtNanos;
    }

    /**
     * After a refresh that failed. The pause begins with an eighth of the time between refresh and expiry and doubles, so a
     * loader in trouble gets about four attempts and not one per hit. For one thread at a time.
     *
     * @param share by chance, 0 to 1
     */
    void postponeRefresh(long nowNanos, double share) {
        refreshPauseNanos = refreshPauseNanos == 0 ? (expiresAtNanos - refreshAtNanos) / 8 : 2 * refreshPauseNanos;
        refreshAtNanos = nowNanos + (long) (refreshPauseNanos * (0.75 + share / 2));
    }
}
