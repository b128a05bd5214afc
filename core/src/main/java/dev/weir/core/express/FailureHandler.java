package dev.weir.core.express;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Answers a request whose value could not be loaded or encoded, as the application answers its own failures. Called on the
 * request's thread by the filter, before anything was written; any thread may call it.
 */
@FunctionalInterface
public interface FailureHandler {

    /**
     * Answers the request, hands it on along the chain, or throws, which is the container's to deal with.
     *
     * @param route whose loader or encoder failed
     * @param failure what it threw, as it was thrown
     */
    void handle(
            ExpressRoute<?, ?> route,
            Exception failure,
            HttpServletRequest request,
            HttpServletResponse response,
            FilterChain chain)
            throws IOException, ServletException;

    /** Throws the failure, wrapped where a filter may not throw it. */
    static FailureHandler rethrow() {
        return (route, failure, request, response, chain) -> {
            switch (failure) {
                case RuntimeException unchecked -> throw unchecked;
                case IOException io -> throw io;
                case ServletException servlet -> throw servlet;
                default ->
                    throw new ServletException(
                            "The value of the express route " + route.path() + " could not be loaded or encoded.",
                            failure);
            }
        };
    }
}
