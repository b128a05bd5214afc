package dev.weir.core.express;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.NioEndpoint.NioSocketWrapper;

/**
 * Tomcat's connection, which also knows whether the poller's last answer is not yet taken whole. Whoever closes it, a time-out
 * or a broken client as well, takes it out of the count.
 */
final class LaneConnection extends NioSocketWrapper {

    private final AtomicInteger unfinishedOfAll;
    private final AtomicBoolean unfinished = new AtomicBoolean();

    /** @param unfinishedOfAll how many connections of the endpoint have an unfinished answer */
    LaneConnection(NioChannel channel, NioEndpoint endpoint, AtomicInteger unfinishedOfAll) {
        super(channel, endpoint);
        this.unfinishedOfAll = unfinishedOfAll;
    }

    boolean isUnfinished() {
        return unfinished.get();
    }

    void becomesUnfinished() {
        if (unfinished.compareAndSet(false, true)) {
            unfinishedOfAll.incrementAndGet();
        }
        // A close before the line above found nothing to take back.
        if (isClosed()) {
            becomesFinished();
        }
    }

    void becomesFinished() {
        if (unfinished.compareAndSet(true, false)) {
            unfinishedOfAll.decrementAndGet();
        }
    }

    @Override
    protected void doClose() {
        becomesFinished();
        super.doClose();
    }
}
