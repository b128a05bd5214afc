package dev.weir.starter.shed;

import dev.weir.core.shed.Caller;
import dev.weir.core.shed.CallerKeys;
import dev.weir.core.shed.Priority;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who asks and what for, as far as it may be believed. */
final class Callers {

    private static final Logger LOG = LoggerFactory.getLogger(Callers.class);

    private final @Nullable RequestPrioritizer prioritizer;
    private final PriorityByHandler handlers;
    private final String header;
    private final List<AddressRange> trusted;
    private final CallerKeys keys;
    private final AtomicBoolean failureLogged = new AtomicBoolean();

    /**
     * @param prioritizer asked first; null for none
     * @param header in which those in the trusted blocks say a priority
     * @param handlers asked last
     */
    Callers(
            @Nullable RequestPrioritizer prioritizer,
            String header,
            List<AddressRange> trusted,
            PriorityByHandler handlers,
            CallerKeys keys) {
        this.prioritizer = prioritizer;
        this.handlers = handlers;
        this.header = header;
        this.trusted = trusted;
        this.keys = keys;
    }

    Caller of(HttpServletRequest request) {
        Priority priority = null;
        String name = null;
        RequestPrioritizer own = prioritizer;
        if (own != null) {
            try {
                priority = own.priorityOf(request);
                name = own.callerOf(request);
            } catch (RuntimeException e) {
                failed(own, e);
            }
        }
        String address = peer(request).getRemoteAddr();
        if (priority == null) {
            priority = told(request, address);
        }
        if (priority == null) {
            priority = handlers.of(request);
        }
        return new Caller(
                priority == null ? Priority.NORMAL : priority,
                keys.of(name != null ? name : address == null ? "" : address));
    }

    /** As the container sees it: a wrapper may have taken the address from a header that anybody can send. */
    private static ServletRequest peer(ServletRequest request) {
        ServletRequest inner = request;
        while (inner instanceof ServletRequestWrapper wrapper) {
            inner = wrapper.getRequest();
        }
        return inner;
    }

    private @Nullable Priority told(HttpServletRequest request, @Nullable String address) {
        String said = trusted.isEmpty() ? null : request.getHeader(header);
        if (said == null || address == null || !isTrusted(address)) {
            return null;
        }
        return switch (said.trim().toLowerCase(Locale.ROOT)) {
            case "critical" -> Priority.CRITICAL;
            case "normal" -> Priority.NORMAL;
            case "low" -> Priority.LOW;
            default -> null;
        };
    }

    private boolean isTrusted(String address) {
        try {
            InetAddress parsed = AddressRange.literal(address);
            return trusted.stream().anyMatch(range -> range.contains(parsed));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private void failed(RequestPrioritizer own, RuntimeException failure) {
        if (failureLogged.compareAndSet(false, true)) {
            LOG.warn(
                    "weir.shed: the RequestPrioritizer {} failed, so its request counts as one it knows nothing about;"
                            + " further failures are not logged",
                    own.getClass().getName(),
                    failure);
        }
    }
}
