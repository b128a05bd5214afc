package dev.weir.starter;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** What a feature says about a value; before Boot's own analyzer, which would quote the exception's class. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class SettingFailureAnalyzer extends AbstractFailureAnalyzer<SettingException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, SettingException cause) {
        return new FailureAnalysis(cause.getMessage(), cause.action(), rootFailure);
    }
}
