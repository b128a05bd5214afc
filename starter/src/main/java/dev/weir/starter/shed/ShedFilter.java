package dev.weir.starter.shed;

import dev.weir.core.shed.Admission;
import dev.weir.core.shed.Caller;
import dev.weir.core.shed.Completion;
import dev.weir.core.shed.Outcome;
import dev.weir.core.shed.Permit;
import dev.weir.core.watch.Budget;
import dev.weir.core.watch.CurrentBudget;
import dev.weir.core.watch.Kind;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Takes a place for each request, before anything that costs, and gives it back when the request has ended: when the chain
 * returns or throws, and for an asynchronous one when the container says so. Runs for the first dispatch only; those that
 * follow belong to a request that holds its place.
 */
final class ShedFilter implements Filter {

    /** Attribute of a refused request: the reason, for the access log. */
    static final String REFUSED = "weir.shed.refused";

    private static final int TOO_MANY_REQUESTS = 429;

    private final Admission admission;
    private final Callers callers;
    private final ExemptPaths exempt;

    ShedFilter(Admission admission, Callers callers, ExemptPaths exempt) {
        this.admission = admission;
        this.callers = callers;
        this.exempt = exempt;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        var http = (HttpServletRequest) request;
        if (exempt.contains(http)) {
            chain.doFilter(request, response);
            return;
        }
        switch (acquire(callers.of(http))) {
            case Permit permit -> serve(permit, http, (HttpServletResponse) response, chain);
            case Outcome.Refused refused -> refuse(refused, http, (HttpServletResponse) response);
        }
    }

    /** Waits for a place; the wait is part of the request's time budget, where it has one. */
    private Outcome acquire(Caller caller) {
        Budget budget = CurrentBudget.get();
        if (budget == null) {
            return admission.acquire(caller);
        }
        long begun = budget.begin(Kind.ADMISSION);
        try {
            return admission.acquire(caller);
        } finally {
            budget.end(Kind.ADMISSION, begun, Kind.ADMISSION);
        }
    }

    private static void serve(
            Permit permit, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        boolean returned = false;
        boolean handedOver = false;
        try {
            chain.doFilter(request, response);
            returned = true;
            handedOver = request.isAsyncStarted() && follow(permit, request, response);
        } finally {
            if (!handedOver) {
                permit.close(returned ? completion(response) : Completion.IGNORED);
            }
        }
    }

    /** False where the request has ended meanwhile. */
    private static boolean follow(Permit permit, HttpServletRequest request, HttpServletResponse response) {
        try {
            request.getAsyncContext().addListener(new Ending(permit, response));
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    /** What the service answers with for want of capacity tells of overload; other failures and its own quotas are no latency to learn from. */
    private static Completion completion(HttpServletResponse response) {
        int status = response.getStatus();
        return switch (status) {
            case HttpServletResponse.SC_SERVICE_UNAVAILABLE, HttpServletResponse.SC_GATEWAY_TIMEOUT ->
                Completion.DROPPED;
            case TOO_MANY_REQUESTS -> Completion.IGNORED;
            default -> status >= HttpServletResponse.SC_INTERNAL_SERVER_ERROR ? Completion.IGNORED : Completion.SUCCESS;
        };
    }

    private static void refuse(Outcome.Refused refused, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        int status = refused.reason().status();
        request.setAttribute(REFUSED, refused.reason().name().toLowerCase(Locale.ROOT));
        response.setStatus(status);
        response.setHeader("Retry-After", Long.toString(refused.retryAfterSeconds()));
        response.setHeader("Cache-Control", "no-store");
        response.setContentType("application/problem+json");
        byte[] problem = (status == TOO_MANY_REQUESTS
                        ? problem("Too Many Requests", status, "This caller is over its quota.")
                        : problem("Service Unavailable", status, "The service is at its limit."))
                .getBytes(StandardCharsets.US_ASCII);
        response.setContentLength(problem.length);
        response.getOutputStream().write(problem);
    }

    private static String problem(String title, int status, String detail) {
        return "{\"type\":\"about:blank\",\"title\":\"%s\",\"status\":%d,\"detail\":\"%s\"}"
                .formatted(title, status, detail);
    }

    /** Gives the place of an asynchronous request back. */
    private static final class Ending implements AsyncListener {
        private final Permit permit;
        private final HttpServletResponse response;
        private volatile boolean timedOut;

        Ending(Permit permit, HttpServletResponse response) {
            this.permit = permit;
            this.response = response;
        }

        @Override
        public void onComplete(AsyncEvent event) {
            permit.close(timedOut ? Completion.DROPPED : completion(response));
        }

        /** The container completes it after its listeners, or after what they dispatch. */
        @Override
        public void onTimeout(AsyncEvent event) {
            timedOut = true;
        }

        /** Also of a client that went away. */
        @Override
        public void onError(AsyncEvent event) {
            permit.close(Completion.IGNORED);
        }

        /** Starting again drops the listeners. */
        @Override
        public void onStartAsync(AsyncEvent event) {
            event.getAsyncContext().addListener(this);
        }
    }
}
