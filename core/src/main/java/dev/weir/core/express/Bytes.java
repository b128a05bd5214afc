package dev.weir.core.express;

import java.util.Arrays;

/** Comparisons of a wanted text with a range of a buffer. */
final class Bytes {

    private Bytes() {}

    /** Whether {@code bytes[from, to)} is exactly the wanted text. */
    static boolean equal(byte[] wanted, byte[] bytes, int from, int to) {
        return Arrays.equals(wanted, 0, wanted.length, bytes, from, to);
    }

    /** Whether {@code bytes[from, to)} is the wanted text, which is in lower case, with ASCII letters in either case. */
    static boolean equalIgnoringCase(byte[] wantedLower, byte[] bytes, int from, int to) {
        if (to - from != wantedLower.length) {
            return false;
        }
        for (int i = 0; i < wantedLower.length; i++) {
            byte b = bytes[from + i];
            if ((b >= 'A' && b <= 'Z' ? b + 32 : b) != wantedLower[i]) {
                return false;
            }
        }
        return true;
    }
}
