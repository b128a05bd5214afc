package dev.weir.store.gateway;

import dev.weir.store.problems.ProblemException;
import dev.weir.store.problems.ProblemType;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Who sends: the header Weir-Client, which whatever authenticates clients before the store must set. */
final class ClientName {

    static final String HEADER = "Weir-Client";

    private static final String NOBODY = "anonymous";
    private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    private ClientName() {}

    /** The name in the header; all without one are one client. */
    static String of(@Nullable String header) {
        if (header == null) {
            return NOBODY;
        }
        if (!ALLOWED.matcher(header).matches()) {
            throw new ProblemException(
                    ProblemType.VALIDATION_FAILED,
                    "The header " + HEADER + " has " + header.length()
                            + " characters: give 1 to 64 letters, digits, dots, underscores or hyphens.");
        }
        return header;
    }
}
