package dev.weir.bench.store;

import dev.weir.lab.check.Check;
import dev.weir.lab.check.CheckConfig;
import dev.weir.lab.check.CheckListener;
import dev.weir.lab.check.CheckOutcome;
import dev.weir.lab.compare.FreePort;
import dev.weir.lab.compare.ServiceFailure;
import dev.weir.lab.compare.ServiceProcess;
import dev.weir.lab.compare.ServiceStart;
import dev.weir.lab.engine.EngineConfig;
import dev.weir.lab.engine.LoadEngine;
import dev.weir.lab.knee.Capacity;
import dev.weir.lab.knee.Slo;
import dev.weir.lab.measure.LatencySummary;
import dev.weir.lab.measure.Measurement;
import dev.weir.lab.plan.Load;
import dev.weir.lab.plan.RequestPlan;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A store in a JVM of its own, and the load on it. Methods block for the time they measure; one thread at a time. */
final class StoreService implements AutoCloseable {

    static final Slo SLO = Slo.parse("p99<200ms,errors<0.1%");

    private static final Duration READY_WITHIN = Duration.ofMinutes(2);
    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final Duration CHECK_WARM_UP = Duration.ofSeconds(4);
    private static final int CONNECTIONS = 64;

    private final String label;
    private final int port;
    private final ServiceProcess process;

    private StoreService(String label, int port, ServiceProcess process) {
        this.label = label;
        this.port = port;
        this.process = process;
    }

    /**
     * Starts one and waits until it is ready.
     *
     * @param home the repository, where the store is built
     * @param folder for its log
     */
    static StoreService start(String label, Path home, Path folder, Map<String, String> properties)
            throws IOException, InterruptedException, ServiceFailure {
        int port = FreePort.find();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms512m",
                "-Xmx512m",
                "-cp",
                classPath(home),
                "dev.weir.store.StoreApplication",
                "--server.port=" + port,
                "--server.address=127.0.0.1"));
        properties.forEach((name, value) -> command.add("--" + name + "=" + value));
        return new StoreService(
                label,
                port,
                ServiceProcess.start(new ServiceStart(
                        "the store, " + label,
                        command,
                        Map.of(),
                        folder,
                        URI.create("http://127.0.0.1:" + port + "/actuator/health/readiness"),
                        READY_WITHIN,
                        folder.resolve(label + ".log"))));
    }

    /** Of the store and its provider, as they were built. */
    static String classPath(Path home) throws IOException {
        return home.resolve("store/target/classes") + ":"
                + Files.readString(home.resolve("store/target/store.classpath")).strip();
    }

    String label() {
        return label;
    }

    int port() {
        return port;
    }

    /**
     * One window at a fixed rate.
     *
     * @param cpuMicros CPU time of the store's process over the requests it answered
     */
    record Window(double cpuMicros, double p50Millis, double p99Millis, double failedShare) {}

    /** Runs load on so many connections. */
    Measurement run(Path requests, Load load, int connections, long seed) throws IOException, InterruptedException {
        try (var engine = new LoadEngine(
                EngineConfig.of(address(), connections, plan(requests).sources(seed)))) {
            return engine.run(load, second -> {});
        }
    }

    long pid() {
        return process.pid();
    }

    /** CPU time of the store's process since its start. */
    Duration cpuTime() {
        return process.cpuTime()
                .orElseThrow(() -> new IllegalStateException("The CPU time of " + label + " cannot be read."));
    }

    /** Answers a second of a closed loop on 64 connections. */
    double closedLoop(Path requests, Duration time, long seed) throws IOException, InterruptedException {
        try (var engine = new LoadEngine(engine(requests, seed))) {
            return engine.run(Load.closed(time), second -> {}).completedPerSecond();
        }
    }

    /** What this rate costs and how long it takes. */
    Window window(Path requests, double perSecond, Duration time, long seed) throws IOException, InterruptedException {
        try (var engine = new LoadEngine(engine(requests, seed))) {
            Duration before = cpuTime();
            Measurement measured = engine.run(Load.poisson(perSecond, time, seed), second -> {});
            Duration spent = cpuTime().minus(before);
            LatencySummary latency = LatencySummary.of(measured.fromIntended());
            return new Window(
                    spent.toNanos() / 1e3 / measured.completed(),
                    latency.p50Millis(),
                    latency.p99Millis(),
                    measured.errorShare());
        }
    }

    /** The highest rate with {@link #SLO} kept. */
    Capacity capacity(Path requests, Duration budget, long seed) throws InterruptedException {
        CheckConfig usual = CheckConfig.of(plan(requests), address(), seed);
        CheckOutcome outcome = new Check(
                        new CheckConfig(
                                usual.plan(),
                                usual.address(),
                                null,
                                true,
                                List.of(process.pid()),
                                SLO,
                                0,
                                usual.maxPerSecond(),
                                usual.precision(),
                                budget,
                                CHECK_WARM_UP,
                                usual.connections(),
                                usual.threads(),
                                ANSWER,
                                seed),
                        CheckListener.silent())
                .run();
        return outcome.result().capacity();
    }

    /** Load in the background, from now until it is ended. */
    Background background(Path requests, double perSecond, Duration longest) throws IOException {
        var engine = new LoadEngine(engine(requests, 1));
        Thread driver = Thread.ofVirtual().start(() -> {
            try {
                engine.run(Load.poisson(perSecond, longest, 1), second -> {});
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        });
        return () -> {
            engine.stop();
            driver.join();
            engine.close();
        };
    }

    /** Load that goes on meanwhile. */
    interface Background {
        void end() throws InterruptedException;
    }

    private EngineConfig engine(Path requests, long seed) {
        return EngineConfig.of(address(), CONNECTIONS, plan(requests).sources(seed));
    }

    private RequestPlan plan(Path requests) {
        return RequestPlan.read(requests, "http://127.0.0.1:" + port, List.of());
    }

    private InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    @Override
    public void close() {
        process.close();
    }
}
