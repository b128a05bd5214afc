package dev.weir.stack;

/** A server ended, or was not ready in time, while it was being started. */
final class ServerStartException extends StackException {
    private static final long serialVersionUID = 1;

    private final ServerFailure.Kind kind;

    ServerStartException(ServerFailure failure) {
        super(failure.sentence());
        this.kind = failure.kind();
    }

    ServerFailure.Kind kind() {
        return kind;
    }
}
