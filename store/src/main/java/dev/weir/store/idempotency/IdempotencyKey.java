package dev.weir.store.idempotency;

import dev.weir.store.problems.ProblemException;
import dev.weir.store.problems.ProblemType;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The client's name for one request (the header Idempotency-Key), so that sending it twice carries it out once.
 *
 * @param value 1 to 255 visible ASCII characters without a quotation mark
 */
public record IdempotencyKey(String value) {

    private static final int MAX_CHARS = 255;
    private static final Pattern ALLOWED = Pattern.compile("[\\x21\\x23-\\x7e]{1," + MAX_CHARS + "}");

    /** @throws ProblemException if it is no such text */
    public IdempotencyKey {
        if (!ALLOWED.matcher(value).matches()) {
            throw new ProblemException(
                    ProblemType.IDEMPOTENCY_KEY_MALFORMED,
                    "The Idempotency-Key has " + value.length() + " characters: give 1 to " + MAX_CHARS
                            + " visible ASCII characters without a quotation mark, such as a UUID.");
        }
    }

    /**
     * Reads the header; quotation marks around the key, as the IETF draft (draft-ietf-httpapi-idempotency-key-header)
     * writes it, do not belong to it. Empty where there is no header.
     *
     * @throws ProblemException if it holds no key
     */
    public static Optional<IdempotencyKey> of(@Nullable String header) {
        if (header == null) {
            return Optional.empty();
        }
        String key = header.strip();
        boolean quoted = key.length() >= 2 && key.startsWith("\"") && key.endsWith("\"");
        return Optional.of(new IdempotencyKey(quoted ? key.substring(1, key.length() - 1) : key));
    }
}
