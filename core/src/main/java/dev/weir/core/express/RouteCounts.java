package dev.weir.core.express;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a route has answered: requests and their time, by lane and status. Counts without locks; any thread may read. */
public final class RouteCounts {

    private static final Logger LOG = LoggerFactory.getLogger(RouteCounts.class);

    private final List<AnswerRecorder> recorders = new CopyOnWriteArrayList<>();
    private final Tally portOk = new Tally();
    private final Tally portNotModified = new Tally();
    private final Tally filterOk = new Tally();
    private final Tally filterNotModified = new Tally();
    private final Tally filterNotAcceptable = new Tally();
    private final LongAdder failures = new LongAdder();

    RouteCounts() {}

    /**
     * Answers so far.
     *
     * @param status 200, 304, or, of the filter, 406
     */
    public long requests(Lane lane, int status) {
        return tally(lane, status).requests.sum();
    }

    /** The time these answers took in all: in the poller from the read to the write, in the filter from its start to its end. */
    public long nanos(Lane lane, int status) {
        return tally(lane, status).nanos.sum();
    }

    /** Requests so far whose value could not be loaded or encoded; the application has answered them. */
    public long failures() {
        return failures.sum();
    }

    /** Tells a recorder of every answer from now on, beside those already told. */
    public void recordTo(AnswerRecorder recorder) {
        recorders.add(recorder);
    }

    void add(Lane lane, boolean head, int status, long tookNanos) {
        Tally tally = tally(lane, status);
        tally.requests.increment();
        tally.nanos.add(tookNanos);
        for (AnswerRecorder recorder : recorders) {
            tell(recorder, lane, head, status, tookNanos);
        }
    }

    void addFailure() {
        failures.increment();
    }

    private void tell(AnswerRecorder recorder, Lane lane, boolean head, int status, long tookNanos) {
        try {
            recorder.answered(lane, head, status, tookNanos);
        } catch (RuntimeException failed) {
            if (recorders.remove(recorder)) {
                LOG.warn("Express: a recorder of answers failed and is not told of any more.", failed);
            }
        }
    }

    private Tally tally(Lane lane, int status) {
        return switch (lane) {
            case PORT -> status == 304 ? portNotModified : portOk;
            case FILTER ->
                switch (status) {
                    case 304 -> filterNotModified;
                    case 406 -> filterNotAcceptable;
                    default -> filterOk;
                };
        };
    }

    private static final class Tally {
        private final LongAdder requests = new LongAdder();
        private final LongAdder nanos = new LongAdder();
    }
}
