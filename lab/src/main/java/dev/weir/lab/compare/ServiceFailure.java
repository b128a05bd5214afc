package dev.weir.lab.compare;

/** A service that did not start; the message is for the user and ends with the last lines of its log. */
public final class ServiceFailure extends Exception {
    private static final long serialVersionUID = 1L;

    ServiceFailure(String message) {
        super(message);
    }

    ServiceFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
