package dev.weir.lab.engine;

import dev.weir.lab.arrival.Schedule;
import dev.weir.lab.http1.ResponseParser.Outcome;
import dev.weir.lab.measure.FailureKind;
import dev.weir.lab.plan.RequestSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.IdentityHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One engine thread: waits on its selector, reads responses, sends what is due, all without a lock.
 *
 * <p>A request costs one write, one read and a share of a select. A connection that becomes free is given the next due
 * request in the very event that freed it; between events the thread sleeps until something is due, woken by its
 * {@link Waker} to the tenth of a millisecond. Requests that are due and find no free connection are not queued anywhere:
 * the schedule itself is the queue, since it can be asked for the next intended time later just as well. A second copy of
 * the schedule runs with the clock and counts what is offered.
 *
 * <p>Only the channel and the recorder are touched on the way from a readable channel to the next write, and nothing is
 * allocated there: one direct buffer serves all reads, since the parser keeps its place between pieces, and each fixed
 * request is written from a duplicate kept for it.
 */
final class EventLoop implements Runnable, Pool.Listener {
    private static final int READ_BYTES = 1 << 16;
    private static final int READS_AT_ONCE = 16;
    private static final int KEPT_DUPLICATES = 1_024;
    private static final long LONGEST_SLEEP_NANOS = 50_000_000;
    private static final long SPIN_NANOS = 20_000;
    private static final long STOP_DRAIN_NANOS = 1_000_000_000;

    private final EngineConfig config;
    private final RequestSource source;
    private final Selector selector;
    private final Pool pool;
    private final Waker waker;
    private final Thread thread;
    private final long timeoutNanos;
    private final ByteBuffer readBuffer = ByteBuffer.allocateDirect(READ_BYTES);
    private final IdentityHashMap<ByteBuffer, ByteBuffer> duplicates = new IdentityHashMap<>();
    private final Consumer<SelectionKey> onReady = this::ready;

    private volatile @Nullable Share wanted;
    private volatile boolean closing;
    private volatile @Nullable Throwable failure;
    private volatile String taskId = "";

    private @Nullable Share share;
    private Recorder recorder = new Recorder(true);
    private boolean closedLoop;
    private boolean running;
    private boolean sending;
    private Schedule due = () -> Schedule.END;
    private Schedule counted = due;
    private long nextDueNanos;
    private long nextCountedNanos;
    private long lastCountedNanos;
    private long offered;
    private long endNanos;
    private long drainNanos;

    EventLoop(EngineConfig config, RequestSource source, int index, int connections) throws IOException {
        this.config = config;
        this.source = source;
        this.timeoutNanos = config.requestTimeout().toNanos();
        this.selector = Selector.open();
        this.pool = new Pool(config, connections, selector, readBuffer, this);
        this.waker = new Waker(selector, "weir-waker-" + index);
        this.thread = Thread.ofPlatform().daemon().name("weir-engine-" + index).unstarted(this);
    }

    void start() {
        thread.start();
        waker.start();
    }

    /** Hands over a part of a run; from any thread. Its connections are made at once. */
    void begin(Share next) {
        wanted = next;
        selector.wakeup();
        if (failure != null) {
            next.prepared.countDown();
            next.finished.countDown();
        }
    }

    /** Lets the thread look at what has changed in its share; from any thread. */
    void wakeUp() {
        selector.wakeup();
    }

    /** Ends the thread; from any thread. */
    void close() {
        closing = true;
        waker.close();
        selector.wakeup();
    }

    Thread thread() {
        return thread;
    }

    /** What ended this thread, where that was not {@link #close}. */
    @Nullable
    Throwable failure() {
        return failure;
    }

    /** The thread's number in the system; empty where that is not Linux. */
    String taskId() {
        return taskId;
    }

    @Override
    public void run() {
        taskId = readTaskId();
        try {
            while (!closing) {
                turn();
            }
        } catch (Throwable e) {
            failure = e;
        } finally {
            end();
        }
    }

    private static String readTaskId() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/thread-self"))
                    .getFileName()
                    .toString();
        } catch (IOException | RuntimeException e) {
            return "";
        }
    }

    private void end() {
        waker.close();
        pool.closeUnfinished(true);
        Share open = wanted;
        if (open != null) {
            open.prepared.countDown();
            open.finished.countDown();
        }
        try {
            selector.close();
        } catch (IOException e) {
            // Nothing is left that could use it.
        }
    }

    private void turn() throws IOException {
        Share active = share;
        if (active != wanted) {
            active = prepare();
        }
        long now = System.nanoTime();
        if (active != null) {
            work(active, now);
        }
        sleep(now);
    }

    private @Nullable Share prepare() {
        // A run may have been abandoned before this thread saw that; its answers are not the next run's.
        pool.closeUnfinished(false);
        share = wanted;
        running = false;
        if (share != null) {
            recorder = share.recorder;
            closedLoop = share.closedLoop;
        }
        return share;
    }

    private void work(Share active, long now) {
        pool.expire(now);
        pool.open(now);
        if (running) {
            obey(active, now);
            countOffered(active, now);
            expire(now);
            dispatch(now);
            recorder.advance(now);
            recorder.publish();
            if (over(now)) {
                finish(active, now);
            }
        } else if (active.wish != Share.Wish.GO_ON) {
            active.prepared.countDown();
            finish(active, now);
        } else if (active.startNanos <= now) {
            startRunning(active);
        } else if (pool.settled()) {
            active.prepared.countDown();
        }
    }

    private void startRunning(Share active) {
        long start = active.startNanos;
        running = true;
        sending = true;
        offered = 0;
        due = active.schedule();
        counted = active.schedule();
        nextDueNanos = absolute(start, due.nextNanos());
        nextCountedNanos = absolute(start, counted.nextNanos());
        lastCountedNanos = start;
        endNanos = saturated(start, active.load.duration().toNanos());
        drainNanos = config.drain().toNanos();
        recorder.begin(start);
        recorder.scheduleEndsAt(endNanos);
        if (!closedLoop) {
            waker.follow(start, active.schedule());
        }
        dispatch(System.nanoTime());
    }

    private void obey(Share active, long now) {
        if (active.wish == Share.Wish.GO_ON || !sending) {
            return;
        }
        endNow(now);
        if (active.wish == Share.Wish.FINISH) {
            return;
        }
        sending = false;
        drainNanos = active.wish == Share.Wish.STOP ? Math.min(drainNanos, STOP_DRAIN_NANOS) : 0;
    }

    private void endNow(long now) {
        if (now < endNanos) {
            endNanos = now;
            recorder.scheduleEndsAt(now);
        }
    }

    private void countOffered(Share active, long now) {
        while (nextCountedNanos <= Math.min(now, endNanos)) {
            recorder.offered(nextCountedNanos);
            offered++;
            lastCountedNanos = nextCountedNanos;
            nextCountedNanos = absolute(active.startNanos, counted.nextNanos());
            if (nextCountedNanos == Schedule.END) {
                endWithLastRequest(active);
            }
        }
    }

    /** Where the number of requests ended the schedule, it ends one mean gap after the last, so that n take n / rate. */
    private void endWithLastRequest(Share active) {
        if (offered == active.requests || active.load.maxRequests() != Long.MAX_VALUE) {
            long gap = (long) (1e9 * active.threads / active.load.ratePerSecond());
            endNow(lastCountedNanos + gap);
        }
    }

    private void expire(long now) {
        Connection oldest = pool.busy.first();
        while (oldest != null && now - oldest.sinceNanos >= timeoutNanos) {
            failed(oldest, FailureKind.TIMEOUT, "no complete response within " + timeoutNanos / 1_000_000 + " ms", now);
            oldest = pool.busy.first();
        }
    }

    /** Sends what may be sent now. */
    private void dispatch(long now) {
        if (closedLoop) {
            Connection next = pool.free.first();
            while (next != null && mayOffer(now)) {
                send(next, 0);
                next = pool.free.first();
            }
        } else {
            dispatchDue(now);
        }
    }

    private void dispatchDue(long now) {
        while (sending && nextDueNanos <= Math.min(now, endNanos)) {
            Connection next = pool.free.first();
            if (next != null) {
                send(next, nextDueNanos);
            } else if (pool.down()) {
                recorder.failedUnsent(pool.downKind(), pool.downReason(), nextDueNanos, now);
            } else {
                return;
            }
            nextDueNanos = nextDue();
        }
    }

    private long nextDue() {
        Share active = share;
        return active == null ? Schedule.END : absolute(active.startNanos, due.nextNanos());
    }

    private boolean mayOffer(long now) {
        Share active = share;
        return sending && now < endNanos && active != null && offered < active.requests;
    }

    private void send(Connection connection, long intendedNanos) {
        ByteBuffer request = own(source.next());
        connection.parser.reset(source.isHead());
        long now = System.nanoTime();
        connection.sinceNanos = now;
        connection.intendedNanos = closedLoop ? now : intendedNanos;
        if (closedLoop) {
            offered++;
            recorder.offered(now);
        }
        try {
            connection.write(request);
            pool.busy(connection);
            recorder.sent(connection.intendedNanos, now);
        } catch (IOException e) {
            recorder.failedUnsent(FailureKind.CLOSED, Tls.reason(e), connection.intendedNanos, now);
            pool.close(connection);
        }
    }

    /** A view of a request with a position of our own. */
    private ByteBuffer own(ByteBuffer request) {
        ByteBuffer view = duplicates.get(request);
        if (view == null) {
            view = request.duplicate();
            if (duplicates.size() < KEPT_DUPLICATES) {
                duplicates.put(request, view);
            }
        }
        return view.limit(request.limit()).position(request.position());
    }

    private void ready(SelectionKey key) {
        Connection connection = (Connection) key.attachment();
        switch (connection.state) {
            case BUSY -> exchange(connection);
            case IDLE -> idleEvent(connection);
            case CONNECTING, HANDSHAKING -> pool.goOn(connection, System.nanoTime());
            case CLOSED -> {}
        }
    }

    private void exchange(Connection connection) {
        try {
            if (connection.hasUnsent()) {
                connection.flush();
            }
            receive(connection);
        } catch (IOException e) {
            failed(connection, FailureKind.CLOSED, Tls.reason(e), System.nanoTime());
        }
    }

    private void receive(Connection connection) throws IOException {
        for (int reads = 0; reads < READS_AT_ONCE; reads++) {
            readBuffer.clear();
            int count = connection.read(readBuffer);
            if (count < 0) {
                endOfInput(connection);
                return;
            }
            boolean more = connection.mayHaveMore(count, readBuffer);
            recorder.bytesReceived(count);
            readBuffer.flip();
            Outcome outcome = connection.parser.parse(readBuffer);
            if (outcome != Outcome.INCOMPLETE) {
                ended(connection, outcome, readBuffer.hasRemaining());
                return;
            }
            if (!more) {
                return;
            }
        }
    }

    private void endOfInput(Connection connection) {
        if (connection.parser.endOfInput()) {
            ended(connection, Outcome.COMPLETE, false);
        } else {
            failed(
                    connection,
                    FailureKind.CLOSED,
                    "the service closed the connection before its response was complete",
                    System.nanoTime());
        }
    }

    private void ended(Connection connection, Outcome outcome, boolean leftover) {
        long now = System.nanoTime();
        if (outcome != Outcome.COMPLETE) {
            FailureKind kind = outcome == Outcome.MALFORMED ? FailureKind.MALFORMED : FailureKind.TOO_LARGE;
            failed(connection, kind, connection.parser.problem(), now);
            return;
        }
        recorder.completed(connection.intendedNanos, connection.sinceNanos, now, connection.parser.status());
        pool.answered(connection);
        if (connection.parser.reusable() && config.keepAlive() && !leftover && !connection.hasUnsent()) {
            pool.free(connection);
            dispatch(now);
        } else {
            pool.close(connection);
        }
    }

    private void failed(Connection connection, FailureKind kind, String why, long now) {
        recorder.failedInFlight(kind, why, connection.intendedNanos, connection.sinceNanos, now);
        pool.close(connection);
    }

    /** A free connection has become readable: the service closes it, or sends what nobody asked for. */
    private void idleEvent(Connection connection) {
        try {
            readBuffer.clear();
            if (connection.read(readBuffer) == 0) {
                return;
            }
        } catch (IOException e) {
            // Closed in another way.
        }
        pool.closedByService(connection, System.nanoTime());
    }

    @Override
    public void opened() {
        recorder.connectionOpened();
    }

    @Override
    public void ready(Connection connection) {
        if (running) {
            dispatch(System.nanoTime());
        }
    }

    @Override
    public void refused(FailureKind kind, String why) {
        long now = System.nanoTime();
        if (running && closedLoop && mayOffer(now)) {
            offered++;
            recorder.offered(now);
            recorder.failedUnsent(kind, why, now, now);
        }
    }

    private boolean over(long now) {
        Share active = share;
        if (closedLoop && active != null && offered == active.requests && pool.busy.size() == 0) {
            endNow(now);
        }
        if (now < endNanos) {
            return false;
        }
        boolean unsent = sending && nextDueNanos <= endNanos;
        return (pool.busy.size() == 0 && !unsent) || now - endNanos >= drainNanos;
    }

    private void finish(Share active, long now) {
        if (running) {
            giveUpTheRest(active, now);
        } else {
            recorder.begin(now);
            recorder.scheduleEndsAt(now);
        }
        recorder.finish();
        pool.closeUnfinished(false);
        waker.rest();
        running = false;
        share = null;
        if (wanted == active) {
            wanted = null;
        }
        active.finished.countDown();
    }

    private void giveUpTheRest(Share active, long now) {
        countOffered(active, now);
        Connection oldest = pool.busy.first();
        while (oldest != null) {
            failed(oldest, FailureKind.UNFINISHED, "the run ended before the response was complete", now);
            oldest = pool.busy.first();
        }
        while (nextDueNanos <= endNanos && nextDueNanos != Schedule.END) {
            recorder.failedUnsent(
                    FailureKind.UNFINISHED, "the run ended before a connection was free", nextDueNanos, now);
            nextDueNanos = absolute(active.startNanos, due.nextNanos());
        }
    }

    private void sleep(long now) throws IOException {
        if (share == null) {
            selector.select(onReady);
            return;
        }
        long dueNanos = nextSendableNanos();
        long wait = Math.min(wakeNanos(), dueNanos) - now;
        if (wait <= SPIN_NANOS) {
            selector.selectNow(onReady);
            return;
        }
        waker.sleepingUntil(dueNanos);
        if (dueNanos == Waker.NEVER || System.nanoTime() < dueNanos) {
            selector.select(onReady, wait / 1_000_000 + 1);
        } else {
            selector.selectNow(onReady);
        }
        waker.awake();
    }

    /** When the next request is due that could be sent; never while no connection is free for it. */
    private long nextSendableNanos() {
        boolean possible = running && sending && !closedLoop && (pool.free.size() > 0 || pool.down());
        return possible ? nextDueNanos : Waker.NEVER;
    }

    /** When something other than an arrival is to be done, at the latest. */
    private long wakeNanos() {
        long now = System.nanoTime();
        long wake = Math.min(now + LONGEST_SLEEP_NANOS, pool.nextNanos());
        Share active = share;
        if (!running) {
            return active == null ? wake : Math.min(wake, active.startNanos);
        }
        Connection oldest = pool.busy.first();
        if (oldest != null) {
            wake = Math.min(wake, oldest.sinceNanos + timeoutNanos);
        }
        return Math.min(wake, now < endNanos ? endNanos : saturated(endNanos, drainNanos));
    }

    private static long absolute(long startNanos, long offsetNanos) {
        return offsetNanos == Schedule.END ? Schedule.END : startNanos + offsetNanos;
    }

    private static long saturated(long nanos, long more) {
        return more > Long.MAX_VALUE - Math.max(0, nanos) ? Long.MAX_VALUE : nanos + more;
    }
}
