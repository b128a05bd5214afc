package dev.weir.core.express;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.NioEndpoint.NioSocketWrapper;

/**
 * Tomcat's connection with what the lane adds to it.
 *
 * <p>Whether the poller's last answer is not yet taken whole: whoever closes the connection, a time-out or a broken client as
 * well, takes it out of the count.
 *
 * <p>Whether it is <em>lent</em>: a worker serves it while the poller still waits for it to become readable. Tomcat takes the
 * key's interest away at each hand-over and has the worker bring it back, which costs two epoll_ctl and a wake-up of the
 * poller, a third of what a short answer costs. Where the poller has read the whole request itself, nothing is left in the
 * socket that could make it readable again, so the interest can stay. One flag decides between the two threads: the worker
 * that has finished and finds it set takes it off and is done, since an event that comes later is level-triggered and so is
 * told again. The poller that sees more bytes first (a pipelined request, a body, an end) takes it off, takes the interest
 * away, and from there on everything is as in Tomcat. Only one of them can; the other does what Tomcat does.
 */
final class LaneConnection extends NioSocketWrapper {

    private final AtomicInteger unfinishedOfAll;
    private final AtomicBoolean unfinished = new AtomicBoolean();
    private final AtomicBoolean lent = new AtomicBoolean();

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

    /** Before a worker is asked to serve the connection, whose key stays interested in reading. Called by the poller. */
    void lend() {
        lent.set(true);
    }

    /** Ends the lending; false where it had ended before. */
    boolean takeBack() {
        return lent.get() && lent.compareAndSet(true, false);
    }

    /** The poller closes what has not read for a while; what a worker serves is not idle, however long that takes. */
    @Override
    public long getLastRead() {
        return lent.get() ? System.currentTimeMillis() : super.getLastRead();
    }

    @Override
    protected void doClose() {
        becomesFinished();
        super.doClose();
    }
}
