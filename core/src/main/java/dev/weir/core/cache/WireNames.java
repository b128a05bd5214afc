package dev.weir.core.cache;

import java.util.HexFormat;

/**
 * Names of keys that arrive as they were sent. Half of a surrogate pair has no form in UTF-8 and would become a question mark
 * on its way: two keys would share a value in Redis, and an eviction would reach no other node. A name with one is written in
 * hexadecimal behind a character that no text uses.
 */
final class WireNames {
    private static final char MARK = '\uFFFF';

    private WireNames() {}

    static <K> KeyEncoder<K> of(KeyEncoder<? super K> names) {
        return key -> wired(names.encode(key));
    }

    private static String wired(String name) {
        return isWhole(name) ? name : hexadecimal(name);
    }

    private static boolean isWhole(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (Character.isSurrogate(c)) {
                if (i + 1 == name.length() || !Character.isSurrogatePair(c, name.charAt(i + 1))) {
                    return false;
                }
                i++;
            }
        }
        // Otherwise it could be the form of another name.
        return name.isEmpty() || name.charAt(0) != MARK;
    }

    private static String hexadecimal(String name) {
        StringBuilder wired = new StringBuilder(1 + 4 * name.length()).append(MARK);
        HexFormat hex = HexFormat.of();
        for (int i = 0; i < name.length(); i++) {
            wired.append(hex.toHexDigits(name.charAt(i)));
        }
        return wired.toString();
    }
}
