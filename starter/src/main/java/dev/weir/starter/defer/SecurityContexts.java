package dev.weir.starter.defer;

import dev.weir.core.defer.ContextCarrier;
import dev.weir.core.outbox.EventHandler;
import dev.weir.core.publish.Event;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;

/**
 * Who the request is from: the whole authentication to best effort, which runs in this process; the name alone to a deferred call, whose
 * rights nobody can vouch for by the time it runs.
 */
final class SecurityContexts implements ContextCarrier, EventContext {

    private static final String HEADER = "weir-user";

    @Override
    public Runnable carry(Runnable task) {
        Authentication user = SecurityContextHolder.getContext().getAuthentication();
        return user == null
                ? task
                : () -> {
                    SecurityContext before = SecurityContextHolder.getContext();
                    set(user);
                    try {
                        task.run();
                    } finally {
                        SecurityContextHolder.setContext(before);
                    }
                };
    }

    @Override
    public Event capture(Event event) {
        Authentication user = SecurityContextHolder.getContext().getAuthentication();
        return user == null || !user.isAuthenticated() || user instanceof AnonymousAuthenticationToken
                ? event
                : event.withHeader(HEADER, user.getName().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public EventHandler restore(EventHandler handler) {
        return event -> {
            SecurityContext before = SecurityContextHolder.getContext();
            set(user(event));
            try {
                handler.handle(event);
            } finally {
                SecurityContextHolder.setContext(before);
            }
        };
    }

    private static @Nullable Authentication user(Event event) {
        byte[] name = event.headers().get(HEADER);
        return name == null
                ? null
                : UsernamePasswordAuthenticationToken.authenticated(
                        new String(name, StandardCharsets.UTF_8), null, List.of());
    }

    /** In a context of its own: the request's is emptied when it ends. */
    private static void set(@Nullable Authentication user) {
        SecurityContext context = SecurityContextHolder.createEmptyContext();
        context.setAuthentication(user);
        SecurityContextHolder.setContext(context);
    }
}
