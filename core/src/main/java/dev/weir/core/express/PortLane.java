package dev.weir.core.express;

import dev.weir.core.time.NanoClock;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The port lane of one server: its routes, settings and counts. Give it to {@link ExpressNioProtocol#serve} before the
 * connector starts; where the server turns out not to fit, requests go the normal way and {@link #state} says why. Safe
 * for any thread.
 */
public final class PortLane {

    private static final Logger LOG = LoggerFactory.getLogger(PortLane.class);

    private final ExpressRoutes routes;
    private final PortLaneSettings settings;
    private final Admission admission;
    private final NanoClock clock;
    private final Map<PassedOn, LongAdder> passedOn = new EnumMap<>(PassedOn.class);
    private final LongAdder unfinishedWrites = new LongAdder();
    private volatile boolean callbackFailed;
    private volatile String state = "off: the connector has not started";
    private volatile boolean active;

    public PortLane(ExpressRoutes routes, PortLaneSettings settings, Admission admission) {
        this(routes, settings, admission, NanoClock.system());
    }

    PortLane(ExpressRoutes routes, PortLaneSettings settings, Admission admission, NanoClock clock) {
        this.routes = routes;
        this.settings = settings;
        this.admission = admission;
        this.clock = clock;
        for (PassedOn reason : PassedOn.values()) {
            passedOn.put(reason, new LongAdder());
        }
    }

    /** One line: whether the lane answers, or why it does not. */
    public String state() {
        return state;
    }

    /** Whether the lane answers now. */
    public boolean isActive() {
        return active;
    }

    /** Requests left to the normal way so far, for a reason. */
    public long passedOn(PassedOn reason) {
        return adder(reason).sum();
    }

    /** Answers so far that did not fit the socket at once and were finished when the client had taken some. */
    public long unfinishedWrites() {
        return unfinishedWrites.sum();
    }

    /** Says why the lane does not answer, part of a sentence; for who decides not to start it. */
    public void keptOff(String reason) {
        active = false;
        state = "off: " + reason;
    }

    ExpressRoutes routes() {
        return routes;
    }

    PortLaneSettings settings() {
        return settings;
    }

    Admission admission() {
        return admission;
    }

    NanoClock clock() {
        return clock;
    }

    void started() {
        active = true;
        state = "on, " + settings.pollers() + (settings.pollers() == 1 ? " poller" : " pollers");
        LOG.info("Express: the port lane is {}.", state);
    }

    void unfit(String reason) {
        keptOff(reason);
        LOG.warn("Express: the port lane is off, the filter lane answers instead: {}.", reason);
    }

    void stopped() {
        keptOff("the connector has stopped");
    }

    void count(PassedOn reason) {
        adder(reason).increment();
    }

    private LongAdder adder(PassedOn reason) {
        return Objects.requireNonNull(passedOn.get(reason));
    }

    void countUnfinishedWrite() {
        unfinishedWrites.increment();
    }

    /** A key function, a cache or a limiter that throws in the poller is told once, and its requests go the normal way. */
    void callbackFailed(RuntimeException failure) {
        if (!callbackFailed) {
            callbackFailed = true;
            LOG.warn("Express: a callback failed in the poller; such requests go the normal way. Told once.", failure);
        }
    }
}
