package dev.weir.lab.load;

/** The target refuses, does not resolve or cannot be trusted; the message is one sentence for the user. */
public final class UnreachableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnreachableException(String message, Throwable cause) {
        super(message, cause);
    }
}
