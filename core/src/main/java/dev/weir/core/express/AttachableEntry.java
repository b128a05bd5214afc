package dev.weir.core.express;

import org.jspecify.annotations.Nullable;

/** A value with its place for encoded bytes. */
final class AttachableEntry<V> implements HotEntry<V> {

    private final V value;
    private volatile @Nullable Object attachment;

    AttachableEntry(V value) {
        this.value = value;
    }

    @Override
    public V value() {
        return value;
    }

    @Override
    public @Nullable Object attachment() {
        return attachment;
    }

    @Override
    public void attach(Object attachment) {
        this.attachment = attachment;
    }
}
