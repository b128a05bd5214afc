package dev.weir.starter.route;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says what to do about routing that does not work. */
final class RouteBrokenFailureAnalyzer extends AbstractFailureAnalyzer<RouteBrokenException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, RouteBrokenException cause) {
        return new FailureAnalysis(
                "weir.route is on, but routing does not work: " + cause.getMessage(),
                "Put what wraps the data source (datasource-micrometer, p6spy and the like) around the physical pools instead, or"
                        + " exclude this data source from it. To start without routing set weir.route.enabled=false; to start in spite"
                        + " of it, weir.route.self-check=warn.",
                rootFailure);
    }
}
