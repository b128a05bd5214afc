package dev.weir.lab.engine;

import dev.weir.lab.measure.GeneratorCost;
import dev.weir.lab.measure.Measurement;
import dev.weir.lab.measure.SecondSample;
import dev.weir.lab.plan.Load;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The generator: threads with a selector each, over which the connections and the rate are split evenly. Before the first
 * run's schedule starts, all connections are made, or tried, so that their making is not measured.
 *
 * <p>In an open loop a request whose time has come takes any free connection of its thread; if none is free it waits in
 * the schedule, and its latency counts from its intended time all the same. While a thread has no connection at all and
 * the last attempt to make one failed, its due requests fail at once with that reason. In a closed loop each connection
 * sends as soon as its response is in; each failed attempt to connect is one request offered and failed.
 *
 * <p>After the schedule, requests already due are still sent and answers awaited until {@link EngineConfig#drain} is over;
 * the rest counts as unfinished. Connections with an answer outstanding are replaced, so that no run sees the answers of
 * an earlier one.
 *
 * <p>A run keeps about 5 KB for each of its seconds and threads.
 */
public final class LoadEngine implements Generator {
    private static final long LEAD_NANOS = 2_000_000;
    private static final long PREPARE_SLACK_NANOS = 500_000_000;

    private final EngineConfig config;
    private final List<EventLoop> loops = new ArrayList<>();
    private volatile List<Share> active = List.of();
    private volatile boolean closed;

    /**
     * Starts the threads; connects with the first run.
     *
     * @throws IOException if the system has no selector to give, as when too many files are open
     */
    public LoadEngine(EngineConfig config) throws IOException {
        this.config = config;
        try {
            for (int i = 0; i < config.threads(); i++) {
                int connections =
                        config.connections() / config.threads() + (i < config.connections() % config.threads() ? 1 : 0);
                loops.add(new EventLoop(config, config.requests().create(i, config.threads()), i, connections));
            }
        } catch (IOException e) {
            loops.forEach(EventLoop::close);
            throw e;
        }
        loops.forEach(EventLoop::start);
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalStateException if the engine is closed, a run is in progress, or an engine thread has failed
     */
    @Override
    public Measurement run(Load load, Consumer<SecondSample> progress) throws InterruptedException {
        return run(load, () -> {}, progress);
    }

    /**
     * The same, and says when the load begins.
     *
     * @param begins called on the calling thread once the connections are made or tried, just before the schedule starts;
     *     the schedule waits for it
     */
    public Measurement run(Load load, Runnable begins, Consumer<SecondSample> progress) throws InterruptedException {
        CountDownLatch prepared = new CountDownLatch(loops.size());
        CountDownLatch finished = new CountDownLatch(loops.size());
        List<Share> shares = IntStream.range(0, loops.size())
                .mapToObj(i -> new Share(load, i, loops.size(), prepared, finished))
                .toList();
        claim(shares);
        try {
            return measure(load, shares, prepared, finished, begins, progress);
        } catch (InterruptedException e) {
            wish(shares, Share.Wish.ABANDON);
            throw e;
        } finally {
            active = List.of();
        }
    }

    private synchronized void claim(List<Share> shares) {
        if (closed) {
            throw new IllegalStateException("the engine is closed");
        }
        if (!active.isEmpty()) {
            throw new IllegalStateException("a run is in progress; one at a time");
        }
        active = shares;
    }

    private Measurement measure(
            Load load,
            List<Share> shares,
            CountDownLatch prepared,
            CountDownLatch finished,
            Runnable begins,
            Consumer<SecondSample> progress)
            throws InterruptedException {
        for (int i = 0; i < shares.size(); i++) {
            loops.get(i).begin(shares.get(i));
        }
        long patience = config.connectTimeout().toNanos() + PREPARE_SLACK_NANOS;
        boolean _ = prepared.await(patience, TimeUnit.NANOSECONDS);
        begins.run();
        CostMeter meter = new CostMeter(loops);
        long start = System.nanoTime() + LEAD_NANOS;
        shares.forEach(share -> share.startNanos = start);
        loops.forEach(EventLoop::wakeUp);
        Progress ticker = new Progress(start, shares, progress);
        ticker.start();
        try {
            boolean _ = finished.await(toNanos(load.duration()) + LEAD_NANOS, TimeUnit.NANOSECONDS);
            GeneratorCost cost = meter.read();
            finished.await();
            throwIfFailed();
            return measurement(load, shares, start, cost);
        } finally {
            ticker.stop();
        }
    }

    private static long toNanos(Duration duration) {
        return TimeUnit.NANOSECONDS.convert(duration);
    }

    private void throwIfFailed() {
        for (EventLoop loop : loops) {
            Throwable failure = loop.failure();
            if (failure != null) {
                throw new IllegalStateException("an engine thread ended: " + failure, failure);
            }
        }
        if (closed) {
            throw new IllegalStateException("the engine was closed during the run");
        }
    }

    private static Measurement measurement(Load load, List<Share> shares, long start, GeneratorCost cost) {
        Recorder.Sum sum = new Recorder.Sum();
        shares.forEach(share -> share.recorder.addTo(sum));
        long length = Math.max(1, sum.endNanos - start);
        return new Measurement(
                Duration.ofNanos(length),
                load.ratePerSecond(),
                sum.offered,
                sum.sent,
                sum.completed,
                sum.completedInSchedule,
                sum.late,
                sum.failures,
                sum.examples,
                sum.statuses,
                sum.bytes,
                sum.opened,
                (double) sum.inFlightNanos / length,
                sum.fromIntended,
                sum.fromSent,
                sum.lag,
                IntStream.range(0, sum.seconds)
                        .mapToObj(second -> sample(second, shares, start, sum.lastNanos))
                        .toList(),
                cost);
    }

    private static SecondSample sample(int second, List<Share> shares, long start, long last) {
        long began = start + second * Recorder.SECOND_NANOS;
        List<@Nullable Second> parts = new ArrayList<>();
        shares.forEach(share -> parts.add(share.recorder.second(second)));
        return Second.sum(second, parts, Math.clamp(last - began, 1, Recorder.SECOND_NANOS));
    }

    /** The sample of a second that has just passed. */
    static SecondSample passed(int second, List<Share> shares) {
        List<@Nullable Second> parts = new ArrayList<>();
        shares.forEach(share -> parts.add(share.recorder.second(second)));
        return Second.sum(second, parts, Recorder.SECOND_NANOS);
    }

    private void wish(List<Share> shares, Share.Wish wish) {
        shares.forEach(share -> share.wish = wish);
        loops.forEach(EventLoop::wakeUp);
    }

    @Override
    public void finish() {
        wish(active, Share.Wish.FINISH);
    }

    @Override
    public void stop() {
        wish(active, Share.Wish.STOP);
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        loops.forEach(EventLoop::close);
        boolean interrupted = false;
        long deadline = System.nanoTime() + Recorder.SECOND_NANOS;
        for (EventLoop loop : loops) {
            try {
                loop.thread().join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
