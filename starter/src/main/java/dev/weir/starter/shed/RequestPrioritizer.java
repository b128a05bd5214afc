package dev.weir.starter.shed;

import dev.weir.core.shed.Priority;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * Says what a request is worth and who asks. A bean of this type is called by request threads before anything else looks at
 * the request: no user is known yet, and it must neither block nor read the body. Where it throws, the request counts as one
 * it knows nothing about.
 */
@FunctionalInterface
public interface RequestPrioritizer {

    /**
     * What the request is worth; null leaves it to the header of trusted callers, then to {@link RequestPriority} on the
     * handler, and without either to normal.
     */
    @Nullable
    Priority priorityOf(HttpServletRequest request);

    /** The same text for all requests of one caller, for cohorts and quotas; null for the remote address. */
    default @Nullable String callerOf(HttpServletRequest request) {
        return null;
    }
}
