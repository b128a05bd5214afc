package dev.weir.starter.express;

import dev.weir.core.express.AnswerRecorder;
import dev.weir.core.express.ExpressRoute;
import dev.weir.core.express.Lane;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The lanes' answers in Spring Boot's own timer of HTTP requests, with its tags, since they pass the filter that observes the
 * others by. A registry that insists on one set of tags for a name gets the same set as Boot's own; hence a timer is made at
 * the first answer, as Boot does.
 */
final class ServerRequestMeters implements MeterBinder {

    private final List<ExpressRoute<?, ?>> routes;
    private final String name;
    private final Tags more;

    /**
     * @param name of the timer, {@code http.server.requests} unless the service renames it
     * @param more tags that the service adds to all its observations
     */
    ServerRequestMeters(List<ExpressRoute<?, ?>> routes, String name, Map<String, String> more) {
        this.routes = routes;
        this.name = name;
        Tags tags = Tags.empty();
        for (Map.Entry<String, String> tag : more.entrySet()) {
            tags = tags.and(tag.getKey(), tag.getValue());
        }
        this.more = tags;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        routes.forEach(route -> route.counts().recordTo(new Recorder(registry, route.path())));
    }

    /** The timers of one route in one registry, by method and status. */
    private final class Recorder implements AnswerRecorder {

        private final MeterRegistry registry;
        private final String uri;
        private final AtomicReferenceArray<@Nullable Timer> timers = new AtomicReferenceArray<>(6);

        Recorder(MeterRegistry registry, String uri) {
            this.registry = registry;
            this.uri = uri;
        }

        @Override
        public void answered(Lane lane, boolean head, int status, long tookNanos) {
            int index = (head ? 1 : 0) + (status == 304 ? 2 : status == 406 ? 4 : 0);
            Timer timer = timers.get(index);
            if (timer == null) {
                timer = timer(head, status);
                timers.set(index, timer);
            }
            timer.record(tookNanos, TimeUnit.NANOSECONDS);
        }

        private Timer timer(boolean head, int status) {
            return Timer.builder(name)
                    .tag("error", "none")
                    .tag("exception", "none")
                    .tag("method", head ? "HEAD" : "GET")
                    .tag("outcome", status == 304 ? "REDIRECTION" : status == 406 ? "CLIENT_ERROR" : "SUCCESS")
                    .tag("status", Integer.toString(status))
                    .tag("uri", uri)
                    .tags(more)
                    .register(registry);
        }
    }
}
