package dev.weir.lab.engine;

import dev.weir.lab.arrival.Schedule;
import dev.weir.lab.plan.Load;
import java.util.concurrent.CountDownLatch;

/** One engine thread's part of one run. */
final class Share {
    static final long NOT_YET = Long.MAX_VALUE;

    /** What the caller asks of a run under way. */
    enum Wish {
        GO_ON,
        /** End the schedule now, then drain as at its own end. */
        FINISH,
        /** End the schedule now and wait a little for the answers still missing. */
        STOP,
        /** End at once; nobody wants the figures. */
        ABANDON
    }

    final Load load;
    final boolean closedLoop;
    final int thread;
    final int threads;
    final long requests;
    final Recorder recorder;
    final CountDownLatch prepared;
    final CountDownLatch finished;

    /** When the run starts, absolute; {@link #NOT_YET} while connections are being made. */
    volatile long startNanos = NOT_YET;

    volatile Wish wish = Wish.GO_ON;

    Share(Load load, int thread, int threads, CountDownLatch prepared, CountDownLatch finished) {
        this.load = load;
        this.closedLoop = load.mode() == Load.Mode.CLOSED;
        this.thread = thread;
        this.threads = threads;
        this.requests = Schedule.shareOf(load.maxRequests(), thread, threads);
        this.recorder = new Recorder(closedLoop);
        this.prepared = prepared;
        this.finished = finished;
    }

    Schedule schedule() {
        return closedLoop ? () -> Schedule.END : Schedule.of(load, thread, threads);
    }
}
