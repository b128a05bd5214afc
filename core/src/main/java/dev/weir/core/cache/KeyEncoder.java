package dev.weir.core.cache;

/**
 * Names a key in Redis and in messages. Equal keys must give equal names on every node, different keys different ones.
 * Called on misses and evictions, not on hits in the process.
 *
 * @param <K> the keys
 */
@FunctionalInterface
public interface KeyEncoder<K> {

    /** The name of a key; any text. */
    String encode(K key);

    /**
     * {@link Object#toString()}: right for strings, numbers, UUIDs, enums and records of those with one string at most. Of two
     * strings one can say what looks like the other, so different keys would have one name.
     */
    static <K> KeyEncoder<K> text() {
        return key -> key.toString();
    }
}
