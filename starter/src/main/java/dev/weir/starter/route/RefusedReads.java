package dev.weir.starter.route;

import dev.weir.core.route.ReplicasUnavailableException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Answers 503 where a read was refused and no handler of the service's own has dealt with it: it is no fault of the service,
 * to be logged with its stack each time, and the client may try again. Last of all resolvers.
 */
final class RefusedReads implements HandlerExceptionResolver, Ordered {

    private static final String SECONDS = "1";

    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }

    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception failure) {
        // The router's own is always innermost.
        if (!(NestedExceptionUtils.getMostSpecificCause(failure) instanceof ReplicasUnavailableException)
                || response.isCommitted()) {
            return null;
        }
        try {
            response.setHeader(HttpHeaders.RETRY_AFTER, SECONDS);
            response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
            return new ModelAndView();
        } catch (IOException clientIsGone) {
            return null;
        }
    }
}
