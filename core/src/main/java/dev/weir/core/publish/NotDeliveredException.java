package dev.weir.core.publish;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** An accepted event was not acknowledged, and will not be by itself. */
public final class NotDeliveredException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Why not. */
    public enum Reason {
        /** The broker or the client refused this event for good. */
        REFUSED,
        /** Its topic does not exist or takes no events. */
        TOPIC,
        /** Not acknowledged within give-up-after. The broker may have it all the same. */
        GIVEN_UP,
        /** The publisher was closed before. The broker may have it all the same. */
        CLOSED
    }

    private final Reason reason;

    NotDeliveredException(Reason reason, String sentence, @Nullable Throwable cause) {
        super(sentence, cause);
        this.reason = reason;
    }

    /** Why not. */
    public Reason reason() {
        return reason;
    }
}
