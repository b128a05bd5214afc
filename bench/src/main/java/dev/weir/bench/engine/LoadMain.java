package dev.weir.bench.engine;

import dev.weir.lab.engine.EngineConfig;
import dev.weir.lab.engine.LoadEngine;
import dev.weir.lab.measure.LatencySummary;
import dev.weir.lab.measure.Measurement;
import dev.weir.lab.plan.Load;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * One load on a local port: {@code LoadMain port threads connections seconds [rate]}. Closed loop without a rate,
 * Poisson with one. Prints one line of figures.
 */
public final class LoadMain {
    private LoadMain() {}

    /** Runs it. */
    public static void main(String[] args) throws IOException, InterruptedException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
        EngineConfig config = EngineConfig.of(address, Integer.parseInt(args[2]), Requests::fixedGet)
                .withThreads(Integer.parseInt(args[1]));
        Duration duration = Duration.ofSeconds(Long.parseLong(args[3]));
        Load load = args.length > 4 ? Load.poisson(Double.parseDouble(args[4]), duration, 1) : Load.closed(duration);
        try (LoadEngine engine = new LoadEngine(config)) {
            print(engine.run(load, second -> {}));
        }
    }

    private static void print(Measurement run) {
        LatencySummary intended = LatencySummary.of(run.fromIntended());
        LatencySummary lag = LatencySummary.of(run.scheduleLag());
        System.out.printf(
                "completed %d (%.0f/s) failed %s cpu %.2f us/request (whole process) busiest %.2f in flight %.2f little"
                        + " %.3f; latency p50 %.3f p99 %.3f max %.3f ms; lag p50 %.3f p99 %.3f max %.3f ms%n",
                run.completed(),
                run.completedPerSecond(),
                run.failures(),
                run.generator().cpuNanos() / 1e3 / run.completedInSchedule(),
                run.generator().busiestThreadShare(),
                run.meanInFlight(),
                run.littleRatio(),
                intended.p50Millis(),
                intended.p99Millis(),
                intended.maxMillis(),
                lag.p50Millis(),
                lag.p99Millis(),
                lag.maxMillis());
    }
}
