package dev.weir.starter.defer;

import dev.weir.core.defer.ContextCarrier;
import dev.weir.core.outbox.EventHandler;
import dev.weir.core.publish.Event;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.context.i18n.LocaleContext;
import org.springframework.context.i18n.LocaleContextHolder;

/** The locale of the request. */
final class LocaleContexts implements ContextCarrier, EventContext {

    private static final String HEADER = "weir-locale";

    @Override
    public Runnable carry(Runnable task) {
        LocaleContext locale = LocaleContextHolder.getLocaleContext();
        return locale == null
                ? task
                : () -> {
                    LocaleContext before = LocaleContextHolder.getLocaleContext();
                    LocaleContextHolder.setLocaleContext(locale);
                    try {
                        task.run();
                    } finally {
                        LocaleContextHolder.setLocaleContext(before);
                    }
                };
    }

    @Override
    public Event capture(Event event) {
        LocaleContext context = LocaleContextHolder.getLocaleContext();
        Locale locale = context == null ? null : context.getLocale();
        return locale == null
                ? event
                : event.withHeader(HEADER, locale.toLanguageTag().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public EventHandler restore(EventHandler handler) {
        return event -> {
            LocaleContext before = LocaleContextHolder.getLocaleContext();
            LocaleContextHolder.setLocale(locale(event));
            try {
                handler.handle(event);
            } finally {
                LocaleContextHolder.setLocaleContext(before);
            }
        };
    }

    private static @Nullable Locale locale(Event event) {
        byte[] tag = event.headers().get(HEADER);
        return tag == null ? null : Locale.forLanguageTag(new String(tag, StandardCharsets.UTF_8));
    }
}
