package dev.weir.lab.check;

import dev.weir.lab.check.CheckResult.Calibration;
import dev.weir.lab.engine.EngineConfig;
import dev.weir.lab.engine.LoadEngine;
import dev.weir.lab.measure.Measurement;
import dev.weir.lab.plan.Load;
import dev.weir.lab.plan.RequestPlan;
import dev.weir.lab.plan.Target;
import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Measures what the generator can do on this machine, on a null server in a process of its own. */
final class Calibrator {
    private static final int CONNECTIONS = 64;
    private static final Duration WARM_UP = Duration.ofMillis(1_500);
    private static final Duration MEASURED = Duration.ofMillis(1_500);

    /**
     * Measures; takes about five seconds.
     *
     * @param stopped whether the user wants no more; then what the warm-up showed must do
     * @throws IOException if the null server does not start
     */
    static Calibration calibrate(int threads, BooleanSupplier stopped) throws IOException, InterruptedException {
        try (NullService service = NullService.start()) {
            Target target = Target.parse("http://127.0.0.1:" + service.address().getPort() + "/");
            EngineConfig config = EngineConfig.of(
                            service.address(),
                            Math.max(CONNECTIONS, threads),
                            RequestPlan.get(target).sources(1))
                    .withThreads(threads);
            try (LoadEngine engine = new LoadEngine(config)) {
                Measurement warm = engine.run(Load.closed(WARM_UP), second -> {});
                Measurement run = stopped.getAsBoolean() ? warm : engine.run(Load.closed(MEASURED), second -> {});
                return new Calibration(
                        run.completedPerSecond(), run.generator().cpuNanos() / 1000.0 / Math.max(1, run.completed()));
            }
        }
    }

    private Calibrator() {}
}
