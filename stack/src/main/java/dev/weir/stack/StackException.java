package dev.weir.stack;

/**
 * The stack could not start or one of its servers could not be driven. The message is one sentence that says what was found and
 * what to do; when it is thrown by {@link Stack#start}, nothing is left running.
 */
public class StackException extends RuntimeException {
    private static final long serialVersionUID = 1;

    StackException(String message) {
        super(message);
    }

    StackException(String message, Throwable cause) {
        super(message, cause);
    }

    /** What {@code weir stack up} ends with: unless a server says more, the machine lacks what a start needs. */
    int exitCode() {
        return StackCommand.MACHINE_LACKS;
    }
}
