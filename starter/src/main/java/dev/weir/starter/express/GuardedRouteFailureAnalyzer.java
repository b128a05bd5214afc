package dev.weir.starter.express;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says what an express route on a guarded path would do, and the two ways out. */
final class GuardedRouteFailureAnalyzer extends AbstractFailureAnalyzer<GuardedRouteException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, GuardedRouteException cause) {
        return new FailureAnalysis(
                cause.getMessage()
                        + " Express answers are given before any filter runs, so every caller would get them, whatever"
                        + " security says about the path.",
                "If everyone may read " + cause.path() + ", say so with openToAll() on the route, and declare with"
                        + " header(...) what security's filters would add. If not, remove the route: the path is then"
                        + " served by the application, behind security.",
                rootFailure);
    }
}
