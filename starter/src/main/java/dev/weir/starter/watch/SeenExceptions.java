package dev.weir.starter.watch;

import dev.weir.core.watch.Budget;
import dev.weir.core.watch.CurrentBudget;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/** Counts what handlers throw, before any other resolver, and resolves none. */
final class SeenExceptions implements HandlerExceptionResolver, Ordered {

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception thrown) {
        MvcWatch.settle();
        Budget budget = CurrentBudget.get();
        if (budget != null) {
            budget.exception(thrown);
        }
        return null;
    }
}
