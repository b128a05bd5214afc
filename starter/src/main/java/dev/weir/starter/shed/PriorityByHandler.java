package dev.weir.starter.shed;

import dev.weir.core.shed.Priority;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/** What the handler that a request is for says of its priority; null where it says nothing. */
@FunctionalInterface
interface PriorityByHandler {

    @Nullable
    Priority of(HttpServletRequest request);
}
