package dev.weir.starter.express;

/** An express route on a path that security guards, without the declaration that everyone may read it. */
final class GuardedRouteException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String path;

    GuardedRouteException(String path) {
        super("The express route " + path + " lies behind Spring Security and is not declared open to all.");
        this.path = path;
    }

    String path() {
        return path;
    }
}
