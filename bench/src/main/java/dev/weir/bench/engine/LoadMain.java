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
 * One load on a local port: {@code LoadMain port threads connections seconds warmUpSeconds [rate]}. Closed loop
 * without a rate, Poisson with one. Prints one line of figures of the run after the warm-up.
 */
public final class LoadMain {
    private LoadMain() {}

    /** Runs it. */
    public static void main(String[] args) throws IOException, InterruptedException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
        EngineConfig config = EngineConfig.of(address, Integer.parseInt(args[2]), Requests::fixedGet)
                .withThreads(Integer.parseInt(args[1]));
        double rate = args.length > 5 ? Double.parseDouble(args[5]) : 0;
        long warmUpSeconds = Long.parseLong(args[4]);
        try (LoadEngine engine = new LoadEngine(config)) {
            long warmUp = warmUpSeconds > 0
                    ? engine.run(load(rate, warmUpSeconds), second -> {}).completed()
                    : 0;
            print(engine.run(load(rate, Long.parseLong(args[3])), second -> {}), warmUp);
        }
    }

    private static Load load(double rate, long seconds) {
        Duration duration = Duration.ofSeconds(seconds);
        return rate > 0 ? Load.poisson(rate, duration, 1) : Load.closed(duration);
    }

    private static void print(Measurement run, long warmUp) {
        LatencySummary intended = LatencySummary.of(run.fromIntended());
        LatencySummary lag = LatencySummary.of(run.scheduleLag());
        System.out.printf("completed=%d all=%d ", run.completed(), run.completed() + warmUp);
        System.out.printf("perSecond=%.0f failed=%d ", run.completedPerSecond(), run.failed());
        System.out.printf("cpuMicros=%.2f ", run.generator().cpuNanos() / 1e3 / run.completedInSchedule());
        System.out.printf("busiest=%.2f ", run.generator().busiestThreadShare());
        System.out.printf("inFlight=%.1f little=%.3f ", run.meanInFlight(), run.littleRatio());
        System.out.printf(
                "p50=%.3f p99=%.3f max=%.3f ", intended.p50Millis(), intended.p99Millis(), intended.maxMillis());
        System.out.printf("lagP50=%.3f lagP99=%.3f lagMax=%.3f%n", lag.p50Millis(), lag.p99Millis(), lag.maxMillis());
    }
}
