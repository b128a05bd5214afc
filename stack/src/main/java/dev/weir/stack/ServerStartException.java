package dev.weir.stack;

/** A server ended, or was not ready in time, while it was being started. */
final class ServerStartException extends StackException {
    private static final long serialVersionUID = 1;

    private final ServerFailure.Kind kind;

    ServerStartException(ServerFailure failure) {
        super(failure.sentence());
        this.kind = failure.kind();
    }

    @Override
    int exitCode() {
        return switch (kind) {
            case BAD_SETTING -> StackCommand.USAGE;
            case TOO_SLOW, OTHER -> StackCommand.FAILED;
            case PORT_TAKEN, DISK_FULL, MISSING_LIBRARY, WRONG_PLATFORM, NO_USER_NAMESPACE, SHARED_MEMORY ->
                StackCommand.MACHINE_LACKS;
        };
    }

    ServerFailure.Kind kind() {
        return kind;
    }
}
