package dev.weir.core.watch;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Counts by key for one request: the first sixteen keys by name, the rest in the total alone. A few keys are the rule, so they lie in
 * an array that is looked through, the same object found before equal ones: no hashing, nothing made for a key. Not safe for
 * threads.
 */
final class TopCounts {

    private static final int MOST = 16;
    private static final int FIRST = 4;

    private @Nullable Object[] keys = new @Nullable Object[FIRST];
    private long[] counts = new long[FIRST];
    private int size;
    private long total;

    /** Adds to the key's count. Answers what it is now; 0 for a key that is not kept. */
    long add(Object key, long amount) {
        total += amount;
        int at = indexOf(key);
        if (at < 0) {
            if (size == MOST) {
                return 0;
            }
            at = append(key);
        }
        counts[at] += amount;
        return counts[at];
    }

    @SuppressWarnings("ReferenceEquality")
    private int indexOf(Object key) {
        for (int i = 0; i < size; i++) {
            if (keys[i] == key) {
                return i;
            }
        }
        for (int i = 0; i < size; i++) {
            if (key.equals(keys[i])) {
                return i;
            }
        }
        return -1;
    }

    private int append(Object key) {
        if (size == keys.length) {
            keys = Arrays.copyOf(keys, MOST);
            counts = Arrays.copyOf(counts, MOST);
        }
        keys[size] = key;
        return size++;
    }

    long total() {
        return total;
    }

    /** The key with the highest count; null where there is none. */
    @Nullable
    Object top() {
        int at = topIndex();
        return at < 0 ? null : keys[at];
    }

    /** The highest count of one key, 0 where there is none. */
    long topCount() {
        int at = topIndex();
        return at < 0 ? 0 : counts[at];
    }

    private int topIndex() {
        int top = -1;
        for (int i = 0; i < size; i++) {
            if (top < 0 || counts[i] > counts[top]) {
                top = i;
            }
        }
        return top;
    }
}
