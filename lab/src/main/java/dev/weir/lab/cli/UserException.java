package dev.weir.lab.cli;

/**
 * Ends a command with one sentence for the user: what was given, what is allowed and what to do. It is printed without
 * a stack trace.
 */
public final class UserException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    /**
     * Makes one.
     *
     * @param exitCode one of {@link ExitCode}
     */
    public UserException(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    /** Makes one that keeps its cause. */
    public UserException(int exitCode, String message, Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /** The command's exit code, one of {@link ExitCode}. */
    public int exitCode() {
        return exitCode;
    }
}
