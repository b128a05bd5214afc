package dev.weir.lab.plan;

/** A URL, request or request file that cannot be used; the message is one sentence for the user. */
public final class PlanException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Makes one with a sentence that says what was given, what is allowed and what to do. */
    public PlanException(String message) {
        super(message);
    }

    /** Makes one that keeps its cause. */
    public PlanException(String message, Throwable cause) {
        super(message, cause);
    }
}
