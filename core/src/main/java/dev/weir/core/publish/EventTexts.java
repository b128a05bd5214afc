package dev.weir.core.publish;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Texts of events, checked where they are given: what a table, a disk or a broker refuses later would be lost or in the way. */
final class EventTexts {
    private static final int MOST_CHARS = 1_000;
    private static final int MOST_KAFKA_CHARS = 249;

    private EventTexts() {}

    /** This text, which names a topic or a header. */
    static String name(String what, String text) {
        if (text.isEmpty() || text.length() > MOST_CHARS) {
            throw new IllegalArgumentException("An event's " + what + " has " + text.length()
                    + " characters; allowed are 1 to 1,000. Shorten it, or put what it says into the event.");
        }
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("An event's " + what + " holds the character NUL at index "
                    + text.indexOf('\0') + "; databases refuse it. Leave it out.");
        }
        requireWhole(what, text);
        return text;
    }

    /** This text in UTF-8, which has no place for half of a surrogate pair: two keys would become one. */
    static byte[] utf8(String what, String text) {
        requireWhole(what, text);
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void requireWhole(String what, String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (Character.charCount(text.codePointAt(i)) == 1) {
                    throw new IllegalArgumentException(
                            "An event's " + what + " holds half of a surrogate pair at index " + i
                                    + "; UTF-8 cannot carry it. Correct the text, or give a key as bytes.");
                }
                i++;
            }
        }
    }

    /** Why no topic of Kafka has this name, as a sentence's part; null where one may. */
    static @Nullable String noTopic(String name) {
        boolean allowed = name.length() <= MOST_KAFKA_CHARS && !name.equals(".") && !name.equals("..");
        for (int i = 0; i < name.length() && allowed; i++) {
            allowed = isAllowed(name.charAt(i));
        }
        return allowed ? null : "Kafka's topics have names of 1 to 249 letters, digits, dots, dashes and underscores";
    }

    private static boolean isAllowed(char character) {
        return (character >= 'a' && character <= 'z')
                || (character >= 'A' && character <= 'Z')
                || (character >= '0' && character <= '9')
                || character == '.'
                || character == '_'
                || character == '-';
    }
}
