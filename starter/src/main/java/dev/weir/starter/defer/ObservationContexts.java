package dev.weir.starter.defer;

import dev.weir.core.defer.ContextCarrier;
import dev.weir.core.outbox.EventHandler;
import dev.weir.core.publish.Event;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import io.micrometer.observation.transport.SenderContext;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The trace, by Micrometer's observations: best effort runs in the caller's; a deferred call is sent and received as a message is, with
 * what the tracer in use puts into headers.
 */
final class ObservationContexts implements ContextCarrier, EventContext {

    private final ObservationRegistry registry;

    ObservationContexts(ObservationRegistry registry) {
        this.registry = registry;
    }

    @Override
    public Runnable carry(Runnable task) {
        Observation current = registry.getCurrentObservation();
        return current == null
                ? task
                : () -> {
                    Observation.Scope scope = current.openScope();
                    try {
                        task.run();
                    } finally {
                        scope.close();
                    }
                };
    }

    @Override
    public Event capture(Event event) {
        Map<String, String> headers = new LinkedHashMap<>();
        var context = new SenderContext<Map<String, String>>(
                (carrier, name, value) -> {
                    if (carrier != null) {
                        carrier.put(name, value);
                    }
                },
                Kind.PRODUCER);
        context.setCarrier(headers);
        observation("weir.defer.add", "defer", event, context).observe(() -> {});
        Event whole = event;
        for (Map.Entry<String, String> header : headers.entrySet()) {
            whole = whole.withHeader(header.getKey(), header.getValue().getBytes(StandardCharsets.UTF_8));
        }
        return whole;
    }

    @Override
    public EventHandler restore(EventHandler handler) {
        return event -> {
            var context = new ReceiverContext<Event>(
                    (carrier, name) -> {
                        byte[] value = carrier.headers().get(name);
                        return value == null ? null : new String(value, StandardCharsets.UTF_8);
                    },
                    Kind.CONSUMER);
            context.setCarrier(event);
            observation("weir.defer.run", "run", event, context).observeChecked(() -> handler.handle(event));
        };
    }

    private Observation observation(String name, String what, Event event, Observation.Context context) {
        return Observation.createNotStarted(name, () -> context, registry)
                .contextualName(what + " " + event.topic())
                .lowCardinalityKeyValue("work", event.topic());
    }
}
