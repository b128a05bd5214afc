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
 * is none and a request with a query go on to the application; a loader's failure is the application's to render.
 */
public final class ExpressFilter implements Filter {

    private static final KnownValues ACCEPT_ENCODING = KnownValues.ofAcceptEncoding();

    private final ExpressRoutes routes;
    private final NanoClock clock;

    public ExpressFilter(ExpressRoutes routes) {
        this(routes, NanoClock.system());
    }

    ExpressFilter(ExpressRoutes routes, NanoClock clock) {
        this.routes = routes;
        this.clock = clock;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!(request instanceof HttpServletRequest http
                && response instanceof HttpServletResponse answer
                && answered(http, answer))) {
            chain.doFilter(request, response);
        }
    }

    private boolean answered(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        if (!isRead(request) || request.getQueryString() != null) {
            return false;
        }
        String path = path(request);
        for (int i = 0; i < routes.count(); i++) {
            String variable = routes.at(i).template().variableOf(path);
            if (variable != null) {
                return answered(routes.at(i), variable, request, response);
            }
        }
        return false;
    }

    private <K, V> boolean answered(
            ExpressRoute<K, V> route, String variable, HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        long start = clock.nanoTime();
        K key = route.key(variable);
        HotEntry<V> entry = key == null ? null : entry(route, key);
        if (entry == null) {
            return false;
        }
        int representation = representation(route, values(request, "Accept"));
        if (representation == Negotiation.NOT_ACCEPTABLE) {
            response.sendError(HttpServletResponse.SC_NOT_ACCEPTABLE);
            return true;
        }
        boolean gzip = gzip(values(request, "Accept-Encoding"));
        boolean head = request.getMethod().equals("HEAD");
        int status = write(form(route, entry, representation, gzip), head, request, response);
        route.counts().add(Lane.FILTER, head, status, clock.nanoTime() - start);
        return true;
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

    private static <K, V> @Nullable HotEntry<V> entry(ExpressRoute<K, V> route, K key)
            throws IOException, ServletException {
        try {
            return route.entry(key);
        } catch (RuntimeException | IOException | ServletException failed) {
            throw failed;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ServletException("Interrupted while the value of " + route.path() + " was loading.", interrupted);
        } catch (Exception failed) {
            throw new ServletException("The loader of " + route.path() + " failed for the key " + key + ".", failed);
        }
    }

    private static <K, V> EncodedForm form(
            ExpressRoute<K, V> route, HotEntry<V> entry, int representation, boolean gzip)
            throws IOException, ServletException {
        try {
            return route.form(entry, representation, gzip);
        } catch (RuntimeException | IOException | ServletException failed) {
            throw failed;
        } catch (Exception failed) {
            throw new ServletException(
                    "The encoder of " + route.path() + " for "
                            + route.mediaTypes().get(representation) + " failed.",
                    failed);
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
