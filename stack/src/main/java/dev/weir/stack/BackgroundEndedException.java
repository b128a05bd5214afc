package dev.weir.stack;

/** The background process of {@code weir stack up --detach} ended before its servers ran; its exit code is passed on. */
final class BackgroundEndedException extends StackException {
    private static final long serialVersionUID = 1;

    private final int exitCode;

    BackgroundEndedException(String message, int exitCode) {
        super(message);
        this.exitCode = exitCode;
    }

    @Override
    int exitCode() {
        return exitCode;
    }
}
