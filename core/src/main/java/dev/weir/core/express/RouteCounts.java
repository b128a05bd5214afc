package dev.weir.core.express;

import java.util.concurrent.atomic.LongAdder;

/** What a route has answered: requests and their time, by lane and status. Counts without locks; any thread may read. */
public final class RouteCounts {

    private final Tally portOk = new Tally();
    private final Tally portNotModified = new Tally();
    private final Tally filterOk = new Tally();
    private final Tally filterNotModified = new Tally();

    RouteCounts() {}

    /**
     * Answers so far.
     *
     * @param status 200 or 304
     */
    public long requests(Lane lane, int status) {
        return tally(lane, status).requests.sum();
    }

    /** The time these answers took in all: in the poller from the read to the write, in the filter from its start to its end. */
    public long nanos(Lane lane, int status) {
        return tally(lane, status).nanos.sum();
    }

    void add(Lane lane, int status, long tookNanos) {
        Tally tally = tally(lane, status);
        tally.requests.increment();
        tally.nanos.add(tookNanos);
    }

    private Tally tally(Lane lane, int status) {
        return switch (lane) {
            case PORT -> status == 304 ? portNotModified : portOk;
            case FILTER -> status == 304 ? filterNotModified : filterOk;
        };
    }

    private static final class Tally {
        private final LongAdder requests = new LongAdder();
        private final LongAdder nanos = new LongAdder();
    }
}
