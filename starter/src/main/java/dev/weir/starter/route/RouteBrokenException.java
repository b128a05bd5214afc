package dev.weir.starter.route;

/** The check at start found that read-only transactions do not reach the router. */
final class RouteBrokenException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    RouteBrokenException(String problem) {
        super(problem);
    }
}
