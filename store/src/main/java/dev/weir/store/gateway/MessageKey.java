package dev.weir.store.gateway;

import dev.weir.store.problems.ProblemException;
import dev.weir.store.problems.ProblemType;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The client's name for one message (the header Idempotency-Key), so that handing it in twice sends it once. */
final class MessageKey {

    private static final int MAX_CHARS = 255;
    private static final Pattern ALLOWED = Pattern.compile("[\\x21\\x23-\\x7e]{1," + MAX_CHARS + "}");

    private MessageKey() {}

    /** The key, without the quotation marks the IETF draft writes around it; null where there is none. */
    static @Nullable String of(@Nullable String header) {
        if (header == null) {
            return null;
        }
        String stripped = header.strip();
        boolean quoted = stripped.length() >= 2 && stripped.startsWith("\"") && stripped.endsWith("\"");
        String key = quoted ? stripped.substring(1, stripped.length() - 1) : stripped;
        if (!ALLOWED.matcher(key).matches()) {
            throw new ProblemException(
                    ProblemType.IDEMPOTENCY_KEY_MALFORMED,
                    "The Idempotency-Key has " + key.length() + " characters: give 1 to " + MAX_CHARS
                            + " visible ASCII characters without a quotation mark, such as a UUID.");
        }
        return key;
    }
}
