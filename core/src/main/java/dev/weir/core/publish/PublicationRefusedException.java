package dev.weir.core.publish;

import java.io.Serial;

/** An event was not taken; thrown by the variant that throws. */
public final class PublicationRefusedException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient Publication.Refused refused;

    PublicationRefusedException(Publication.Refused refused) {
        super(refused.sentence(), refused instanceof Publication.Unserialisable bad ? bad.cause() : null);
        this.refused = refused;
    }

    /** The outcome as the other variant returns it. */
    public Publication.Refused refused() {
        return refused;
    }
}
