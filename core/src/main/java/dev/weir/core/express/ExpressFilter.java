package dev.weir.core.express;

import dev.weir.core.time.NanoClock;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The filter lane: answers GET and HEAD of the routes in any servlet container, over TLS and HTTP/2 as well, and encodes
 * what the port lane then sends. Put it before every other filter but a limiter. A value that does not exist, a key that
 * is none and a request with a query go on to the application; the failure of a loader or an encoder goes to a
 * {@link FailureHandler}.
 */
public final class ExpressFilter implements Filter {

    private static final int NOT_OURS = 0;
    private static final KnownValues ACCEPT_ENCODING = KnownValues.ofAcceptEncoding();

    private final ExpressRoutes routes;
    private final FailureHandler failures;
    private final NanoClock clock;

    /** Failures leave the filter as exceptions. */
    public ExpressFilter(ExpressRoutes routes) {
        this(routes, FailureHandler.rethrow());
    }

    public ExpressFilter(ExpressRoutes routes, FailureHandler failures) {
        this(routes, failures, NanoClock.system());
    }

    ExpressFilter(ExpressRoutes routes, FailureHandler failures, NanoClock clock) {
        this.routes = routes;
        this.failures = failures;
        this.clock = clock;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!(request instanceof HttpServletRequest http
                && response instanceof HttpServletResponse answer
                && answered(http, answer, chain))) {
            chain.doFilter(request, response);
        }
    }

    private boolean answered(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!isRead(request) || request.getQueryString() != null) {
            return false;
        }
        String path = path(request);
        for (int i = 0; i < routes.count(); i++) {
            String variable = routes.at(i).template().variableOf(path);
            if (variable != null) {
                return answered(routes.at(i), variable, request, response, chain);
            }
        }
        return false;
    }

    private <K, V> boolean answered(
            ExpressRoute<K, V> route,
            String variable,
            HttpServletRequest request,
            HttpServletResponse response,
            FilterChain chain)
            throws IOException, ServletException {
        long start = clock.nanoTime();
        boolean head = request.getMethod().equals("HEAD");
        int status;
        try {
            status = answer(route, variable, head, request, response);
        } catch (NotMade failed) {
            route.counts().addFailure();
            failures.handle(route, failed.reason, request, response, chain);
            return true;
        }
        if (status == NOT_OURS) {
            return false;
        }
        route.counts().add(Lane.FILTER, head, status, clock.nanoTime() - start);
        return true;
    }

    /** The status of the answer, or {@link #NOT_OURS}. */
    private static <K, V> int answer(
            ExpressRoute<K, V> route,
            String variable,
            boolean head,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException, NotMade {
        K key = route.key(variable);
        HotEntry<V> entry = key == null ? null : entry(route, key);
        if (entry == null) {
            return NOT_OURS;
        }
        int representation = representation(route, values(request, "Accept"));
        if (representation == Negotiation.NOT_ACCEPTABLE) {
            response.sendError(HttpServletResponse.SC_NOT_ACCEPTABLE);
            return HttpServletResponse.SC_NOT_ACCEPTABLE;
        }
        boolean gzip = gzip(values(request, "Accept-Encoding"));
        return write(form(route, entry, representation, gzip), head, request, response);
    }

    private static int representation(ExpressRoute<?, ?> route, List<String> accepts) {
        int known = accepts.size() == 1 ? route.accepts().find(accepts.getFirst()) : KnownValues.UNKNOWN;
        return known == KnownValues.UNKNOWN ? Negotiation.representation(route.mediaTypes(), accepts) : known;
    }

    private static boolean gzip(List<String> acceptEncodings) {
        if (acceptEncodings.isEmpty()) {
            return false;
        }
        int known =
                acceptEncodings.size() == 1 ? ACCEPT_ENCODING.find(acceptEncodings.getFirst()) : KnownValues.UNKNOWN;
        return known == KnownValues.UNKNOWN ? Negotiation.gzip(acceptEncodings) : known == 1;
    }

    private static int write(EncodedForm form, boolean head, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        for (RouteHeader header : form.headers()) {
            response.setHeader(header.name(), header.value());
        }
        List<String> known = values(request, "If-None-Match");
        if (!known.isEmpty() && EntityTags.matches(known, form.tag())) {
            response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
            return HttpServletResponse.SC_NOT_MODIFIED;
        }
        response.setContentType(form.contentType());
        response.setContentLength(form.body().length);
        if (!head) {
            response.getOutputStream().write(form.body());
        }
        return HttpServletResponse.SC_OK;
    }

    private static <K, V> @Nullable HotEntry<V> entry(ExpressRoute<K, V> route, K key) throws NotMade {
        try {
            return route.entry(key);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new NotMade(interrupted);
        } catch (Exception failed) {
            throw new NotMade(failed);
        }
    }

    private static <K, V> EncodedForm form(
            ExpressRoute<K, V> route, HotEntry<V> entry, int representation, boolean gzip) throws NotMade {
        try {
            return route.form(entry, representation, gzip);
        } catch (Exception failed) {
            throw new NotMade(failed);
        }
    }

    /** Tells a failure of the service's own code from one of the connection to the client. */
    private static final class NotMade extends Exception {
        private static final long serialVersionUID = 1L;

        private final Exception reason;

        NotMade(Exception reason) {
            super(null, reason, false, false);
            this.reason = reason;
        }
    }

    private static boolean isRead(HttpServletRequest request) {
        return request.getMethod().equals("GET") || request.getMethod().equals("HEAD");
    }

    /** The decoded path within the context, wherever the dispatcher is mapped. */
    private static String path(HttpServletRequest request) {
        String info = request.getPathInfo();
        return info == null ? request.getServletPath() : request.getServletPath() + info;
    }

    private static List<String> values(HttpServletRequest request, String header) {
        Enumeration<String> values = request.getHeaders(header);
        if (!values.hasMoreElements()) {
            return List.of();
        }
        String first = values.nextElement();
        if (!values.hasMoreElements()) {
            return List.of(first);
        }
        List<String> all = new ArrayList<>(List.of(first));
        values.asIterator().forEachRemaining(all::add);
        return all;
    }
}
