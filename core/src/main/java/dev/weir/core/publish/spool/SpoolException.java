package dev.weir.core.publish.spool;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A spool cannot do what was asked; the sentence says why. */
public final class SpoolException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Why. */
    public enum Reason {
        /** Records not delivered yet take all the room. */
        FULL,
        /** The record is larger than one may be. */
        OVERSIZED,
        /** The spool was closed. */
        CLOSED,
        /** The disk refused. The record may be there all the same. */
        DISK,
        /** Another process has the folder. */
        IN_USE
    }

    private final Reason reason;

    SpoolException(Reason reason, String sentence, @Nullable Throwable cause) {
        super(sentence, cause);
        this.reason = reason;
    }

    /** Why. */
    public Reason reason() {
        return reason;
    }
}
