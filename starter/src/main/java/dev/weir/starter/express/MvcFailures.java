package dev.weir.starter.express;

import dev.weir.core.express.ExpressRoute;
import dev.weir.core.express.FailureHandler;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.filter.ServerHttpObservationFilter;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.HandlerMapping;

/**
 * Has Spring MVC answer what an express route could not load or encode, as if a controller on its path had thrown it: the
 * request goes on along the filters to the dispatcher, whose first mapping this is, and the handler it finds throws the
 * failure. Exception handlers, views, observation and error pages are then all those of the application.
 */
final class MvcFailures implements FailureHandler, HandlerMapping, Ordered {

    private static final String ATTRIBUTE = MvcFailures.class.getName();
    private static final Method RETHROW =
            Objects.requireNonNull(ReflectionUtils.findMethod(Failed.class, "rethrow", HttpServletRequest.class));

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public void handle(
            ExpressRoute<?, ?> route,
            Exception failure,
            HttpServletRequest request,
            HttpServletResponse response,
            FilterChain chain)
            throws IOException, ServletException {
        var failed = new Failed(route.path(), failure);
        request.setAttribute(ATTRIBUTE, failed);
        chain.doFilter(request, response);
        boolean unanswered = !response.isCommitted() && response.getStatus() == HttpServletResponse.SC_OK;
        if (!failed.thrown && unanswered) {
            // No dispatcher lies on this path.
            FailureHandler.rethrow().handle(route, failure, request, response, chain);
        }
    }

    /** Also asked by others than the dispatcher, so that it changes nothing. */
    @Override
    public @Nullable HandlerExecutionChain getHandler(HttpServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof Failed failed
                ? new HandlerExecutionChain(new HandlerMethod(failed, RETHROW))
                : null;
    }

    /** The handler of one request. A method, since exception handlers look after those of methods alone. */
    static final class Failed {
        private final String path;
        private final Exception failure;
        private boolean thrown;

        Failed(String path, Exception failure) {
            this.path = path;
            this.failure = failure;
        }

        /** Called by Spring MVC, once: the error page of the same request is not ours. */
        void rethrow(HttpServletRequest request) throws Exception {
            thrown = true;
            request.removeAttribute(ATTRIBUTE);
            request.setAttribute(BEST_MATCHING_PATTERN_ATTRIBUTE, path);
            ServerHttpObservationFilter.findObservationContext(request)
                    .ifPresent(context -> context.setPathPattern(path));
            throw failure;
        }
    }
}
