package dev.weir.lab.check;

import dev.weir.lab.engine.EngineConfig;
import dev.weir.lab.engine.LoadEngine;
import dev.weir.lab.measure.Measurement;
import dev.weir.lab.measure.SecondSample;
import dev.weir.lab.plan.Load;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs the loads of one check, with as many connections as they need: few for a service that needs few, as some spend a
 * thread on each, and more when the requests of a rate would have to wait for one.
 */
final class LoadDriver implements AutoCloseable {
    /** Connections for a rate are this many times what is in flight at a low rate. */
    private static final double HEADROOM = 4;

    private static final int FEWEST = 32;
    private static final int GROWTH = 4;
    private static final Duration LONGEST_CONNECT = Duration.ofSeconds(5);

    private final CheckConfig config;
    private @Nullable LoadEngine engine;
    private int connections;
    private volatile boolean stopped;
    private volatile @Nullable LoadEngine running;

    LoadDriver(CheckConfig config) {
        this.config = config;
        connections = Math.min(config.connections(), Math.max(FEWEST, config.threads()));
    }

    /** Makes sure of enough connections for a rate at which so many milliseconds of latency are usual. */
    void prepareFor(double ratePerSecond, double latencyMillis) {
        growTo((long) Math.ceil(HEADROOM * ratePerSecond * latencyMillis / 1000));
    }

    /** Takes many more connections, up to what is allowed; false where that is reached. */
    boolean grow() {
        int before = connections;
        growTo((long) connections * GROWTH);
        return connections > before;
    }

    private void growTo(long wanted) {
        if (wanted > connections && connections < config.connections()) {
            use((int) Math.min(wanted, config.connections()));
        }
    }

    /** Takes just so many connections from the next load on; at least one for each thread. */
    void use(int count) {
        connections = Math.max(count, config.threads());
        closeEngine();
    }

    int connections() {
        return connections;
    }

    /**
     * Runs one load and lets the service drain.
     *
     * @throws InterruptedException if the thread was interrupted
     */
    Measurement run(Load load, Consumer<SecondSample> progress) throws InterruptedException {
        return run(load, () -> {}, progress);
    }

    /**
     * The same, and says when the load begins, which is not before all connections are made.
     *
     * @param begins called on this thread
     */
    Measurement run(Load load, Runnable begins, Consumer<SecondSample> progress) throws InterruptedException {
        LoadEngine current = engine;
        if (current == null) {
            current = open();
            engine = current;
        }
        running = current;
        try {
            LoadEngine generator = current;
            return current.run(load, begins, second -> {
                // A stop that came before the run was under way found nothing to stop.
                if (stopped) {
                    generator.stop();
                }
                progress.accept(second);
            });
        } finally {
            running = null;
        }
    }

    /** Ends the schedule of the load under way; the service still drains. From any thread. */
    void finish() {
        LoadEngine current = running;
        if (current != null) {
            current.finish();
        }
    }

    /** Ends the load under way, and every later one at once. From any thread. */
    void stop() {
        stopped = true;
        LoadEngine current = running;
        if (current != null) {
            current.stop();
        }
    }

    boolean stopped() {
        return stopped;
    }

    private LoadEngine open() {
        try {
            return new LoadEngine(
                    EngineConfig.of(config.address(), connections, config.plan().sources(config.seed()))
                            .withTls(config.tls())
                            .withThreads(config.threads())
                            .withKeepAlive(config.keepAlive())
                            .withTimeouts(connectTimeout(), config.timeout(), config.timeout()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Duration connectTimeout() {
        return config.timeout().compareTo(LONGEST_CONNECT) < 0 ? config.timeout() : LONGEST_CONNECT;
    }

    private void closeEngine() {
        LoadEngine current = engine;
        engine = null;
        if (current != null) {
            current.close();
        }
    }

    @Override
    public void close() {
        closeEngine();
    }
}
