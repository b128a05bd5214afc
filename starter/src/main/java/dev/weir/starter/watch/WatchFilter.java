package dev.weir.starter.watch;

import dev.weir.core.watch.Budget;
import dev.weir.core.watch.CurrentBudget;
import dev.weir.core.watch.RequestWatch;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Opens the budget of each request before anything else, makes it current for the threads of all its dispatches, and ends it when the request has
 * ended: when the chain returns or throws, and for an asynchronous one when the container says so.
 */
final class WatchFilter implements Filter {

    private static final String BUDGET = WatchFilter.class.getName() + ".budget";
    /** Spring MVC's name for the pattern of the handler that was found. */
    private static final String PATTERN = "org.springframework.web.servlet.HandlerMapping.bestMatchingPattern";

    private final RequestWatch watch;
    private final boolean serverTiming;

    WatchFilter(RequestWatch watch, boolean serverTiming) {
        this.watch = watch;
        this.serverTiming = serverTiming;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request.getAttribute(BUDGET) instanceof Budget budget) {
            pass(budget, request, response, chain);
        } else if (request.getDispatcherType() == DispatcherType.REQUEST) {
            first((HttpServletRequest) request, (HttpServletResponse) response, chain);
        } else {
            chain.doFilter(request, response);
        }
    }

    private void first(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Budget budget = watch.begin();
        request.setAttribute(BUDGET, budget);
        Ending ending = new Ending(budget, request, response);
        boolean handedOver = false;
        try {
            pass(budget, request, response, chain);
            handedOver = request.isAsyncStarted() && ending.follow();
        } finally {
            if (!handedOver) {
                ending.end();
            }
        }
    }

    private void pass(Budget budget, ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        CurrentBudget.Scope scope = CurrentBudget.enter(budget);
        try {
            chain.doFilter(request, response);
        } finally {
            scope.close();
        }
        if (serverTiming && !request.isAsyncStarted() && !response.isCommitted()) {
            ((HttpServletResponse) response).setHeader("Server-Timing", budget.serverTiming());
        }
    }

    /** Ends the budget, once. */
    private final class Ending implements AsyncListener {
        private final Budget budget;
        private final HttpServletRequest request;
        private final HttpServletResponse response;

        Ending(Budget budget, HttpServletRequest request, HttpServletResponse response) {
            this.budget = budget;
            this.request = request;
            this.response = response;
        }

        void end() {
            watch.end(budget, this::name, response.getStatus());
        }

        private String name() {
            return request.getMethod()
                    + ' '
                    + (request.getAttribute(PATTERN) instanceof String pattern ? pattern : "(no handler)");
        }

        /** False where the request has ended meanwhile. */
        boolean follow() {
            try {
                request.getAsyncContext().addListener(this);
                return true;
            } catch (IllegalStateException e) {
                return false;
            }
        }

        @Override
        public void onComplete(AsyncEvent event) {
            end();
        }

        /** The container completes it after its listeners, or after what they dispatch. */
        @Override
        public void onTimeout(AsyncEvent event) {}

        /** Also of a client that went away. */
        @Override
        public void onError(AsyncEvent event) {
            end();
        }

        /** Starting again drops the listeners. */
        @Override
        public void onStartAsync(AsyncEvent event) {
            event.getAsyncContext().addListener(this);
        }
    }
}
