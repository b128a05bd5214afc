package dev.weir.starter.route;

import dev.weir.core.route.Lsn;
import dev.weir.core.route.RouteSession;
import dev.weir.core.route.SessionTokens;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.context.request.async.CallableProcessingInterceptor;
import org.springframework.web.context.request.async.WebAsyncUtils;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Binds a session to each request: reads need what the token says, and what the request commits goes out in a new token when
 * the first byte of the answer is about to be written, or at the end. A token that is damaged, forged or old counts as none.
 */
final class RouteSessionFilter extends OncePerRequestFilter {

    private static final Logger LOG = LoggerFactory.getLogger(RouteSessionFilter.class);
    private static final String ATTRIBUTE = RouteSessionFilter.class.getName();

    /** Each costs an HMAC, and a client may send as many as fit its head. */
    private static final int MOST_TOKENS = 4;

    private final SessionTokens tokens;
    private final SessionCarrier carrier;
    private final TokenCounters counters;
    private final AtomicBoolean failureLogged = new AtomicBoolean();

    RouteSessionFilter(SessionTokens tokens, SessionCarrier carrier, TokenCounters counters) {
        this.tokens = tokens;
        this.carrier = carrier;
        this.counters = counters;
    }

    @Override
    protected boolean shouldNotFilterAsyncDispatch() {
        return false;
    }

    @Override
    protected boolean shouldNotFilterErrorDispatch() {
        return false;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Exchange exchange = exchange(request);
        var telling = new TellingResponse(request, response, exchange);
        RouteSession.Binding bound = exchange.session.open();
        try {
            chain.doFilter(request, telling);
        } finally {
            bound.close();
            if (!request.isAsyncStarted()) {
                telling.tell();
            }
        }
    }

    /** One session for all dispatches of a request. */
    private Exchange exchange(HttpServletRequest request) {
        if (request.getAttribute(ATTRIBUTE) instanceof Exchange known) {
            return known;
        }
        var exchange = new Exchange(neededLsn(tokensOf(request)));
        request.setAttribute(ATTRIBUTE, exchange);
        WebAsyncUtils.getAsyncManager(request).registerCallableInterceptor(ATTRIBUTE, exchange);
        return exchange;
    }

    /** The carrier may be the service's own. Where it fails, the request goes on as one without a token. */
    private List<String> tokensOf(HttpServletRequest request) {
        try {
            return carrier.readAll(request);
        } catch (RuntimeException e) {
            carrierFailed("read", e);
            return List.of();
        }
    }

    private void handOver(HttpServletRequest request, HttpServletResponse response, long lsn) {
        try {
            carrier.write(request, response, tokens.issue(lsn));
            counters.issued.increment();
        } catch (RuntimeException e) {
            carrierFailed("write", e);
        }
    }

    private void carrierFailed(String what, RuntimeException failure) {
        counters.failed.increment();
        if (failureLogged.compareAndSet(false, true)) {
            LOG.warn(
                    "weir.route: the SessionCarrier {} could not {} a token, so a client may miss its own write; further failures"
                            + " are only counted (weir.route.tokens, outcome failed)",
                    carrier.getClass().getName(),
                    what,
                    failure);
        }
    }

    /** What the furthest valid one says. */
    private long neededLsn(List<String> found) {
        return found.stream()
                .limit(MOST_TOKENS)
                .mapToLong(this::neededLsn)
                .max()
                .orElse(Lsn.NONE);
    }

    private long neededLsn(String token) {
        return switch (tokens.read(token)) {
            case SessionTokens.Valid valid -> {
                counters.valid.increment();
                yield valid.lsn();
            }
            case SessionTokens.Expired expired -> {
                counters.expired.increment();
                yield Lsn.NONE;
            }
            case SessionTokens.Invalid invalid -> {
                counters.invalid.increment();
                yield Lsn.NONE;
            }
        };
    }

    /** A request's session, also bound to the thread that runs a controller's Callable. */
    private static final class Exchange implements CallableProcessingInterceptor {
        private final RouteSession session;
        private volatile boolean wrote;
        private volatile long toldLsn = Lsn.NONE;
        private volatile RouteSession.@Nullable Binding binding;

        Exchange(long neededLsn) {
            this.session = new RouteSession(neededLsn, lsn -> wrote = true);
        }

        @Override
        public <T> void preProcess(NativeWebRequest request, Callable<T> task) {
            binding = session.open();
        }

        @Override
        public <T> void postProcess(NativeWebRequest request, Callable<T> task, @Nullable Object result) {
            RouteSession.Binding open = binding;
            if (open != null) {
                open.close();
            }
        }
    }

    /** Writes the token as late as possible, and before it is too late. */
    private final class TellingResponse extends HttpServletResponseWrapper {
        private final HttpServletRequest request;
        private final Exchange exchange;

        TellingResponse(HttpServletRequest request, HttpServletResponse response, Exchange exchange) {
            super(response);
            this.request = request;
            this.exchange = exchange;
        }

        void tell() {
            // Not what the listener was told: of two commits at once the earlier one may tell last.
            long lsn = exchange.session.neededLsn();
            if (!exchange.wrote || lsn == exchange.toldLsn) {
                return;
            }
            exchange.toldLsn = lsn;
            if (isCommitted()) {
                counters.late.increment();
            } else {
                handOver(request, (HttpServletResponse) getResponse(), lsn);
            }
        }

        @Override
        public ServletOutputStream getOutputStream() throws IOException {
            tell();
            return super.getOutputStream();
        }

        @Override
        public PrintWriter getWriter() throws IOException {
            tell();
            return super.getWriter();
        }

        @Override
        public void flushBuffer() throws IOException {
            tell();
            super.flushBuffer();
        }

        @Override
        public void sendError(int status) throws IOException {
            tell();
            super.sendError(status);
        }

        @Override
        public void sendError(int status, String message) throws IOException {
            tell();
            super.sendError(status, message);
        }

        @Override
        public void sendRedirect(String location, int status, boolean clearBuffer) throws IOException {
            tell();
            super.sendRedirect(location, status, clearBuffer);
        }

        @Override
        public void reset() {
            super.reset();
            exchange.toldLsn = Lsn.NONE;
        }
    }
}
