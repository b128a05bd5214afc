package dev.weir.lab.check;

/** A check that could not begin, because the service does not answer as it should; the message is one sentence. */
public final class CheckFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CheckFailedException(String message) {
        super(message);
    }
}
