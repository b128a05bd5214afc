package dev.weir.store.gateway;

import dev.weir.core.time.NanoClock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What each client may hand in a second, however short the queue is. Bounded: of many clients those are remembered that came last, and
 * one that is forgotten has its whole burst again. Any thread may use it.
 */
final class ClientQuotas {

    private static final int REMEMBERED = 10_000;
    private static final float LOAD_FACTOR = 0.75f;

    private final double perSecond;
    private final Duration burst;
    private final NanoClock clock;
    private final Map<String, Pacer> pacers = new LinkedHashMap<>(16, LOAD_FACTOR, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Pacer> eldest) {
            return size() > REMEMBERED;
        }
    };

    ClientQuotas(GatewaySettings.Clients settings, NanoClock clock) {
        this.perSecond = settings.perSecond();
        this.burst = Duration.ofNanos((long) ((settings.burst() - 1) / settings.perSecond() * 1e9));
        this.clock = clock;
    }

    /** Takes one; answers how long the client is to wait where it is over its limit, which then costs it nothing. */
    synchronized Optional<Duration> take(String client) {
        long now = clock.nanoTime();
        Pacer pacer = pacers.computeIfAbsent(client, unseen -> new Pacer(burst, now));
        long delay = pacer.delayNanos(now);
        if (delay > 0) {
            return Optional.of(Duration.ofNanos(delay));
        }
        pacer.take(perSecond, now);
        return Optional.empty();
    }
}
