package dev.weir.lab.check;

import dev.weir.lab.collect.ServiceSample;
import dev.weir.lab.diagnose.Verdict;
import dev.weir.lab.host.Machine;
import dev.weir.lab.knee.Capacity;
import dev.weir.lab.knee.Slo;
import dev.weir.lab.knee.Usl;
import dev.weir.lab.measure.GeneratorCost;
import dev.weir.lab.measure.LatencySummary;
import dev.weir.lab.measure.SecondSample;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All that one {@code weir check} found. This record, written as JSON, is the published format.
 *
 * @param schema name and version of the format, {@code weir.check/1}
 * @param target the URL or request file under load
 * @param service the process behind it; null where it was not found
 * @param calibration what the generator can do on this machine
 * @param usl fit of the Universal Scalability Law; null where the steps do not allow one
 * @param steps in the order they ran, warm-up not included
 */
public record CheckResult(
        String schema,
        String target,
        Instant startedAt,
        Duration took,
        Machine machine,
        @Nullable Service service,
        Slo slo,
        Calibration calibration,
        WarmUp warmUp,
        Capacity capacity,
        @Nullable Usl usl,
        Verdict verdict,
        List<Step> steps) {

    /** Name and version of the format. */
    public static final String SCHEMA = "weir.check/1";

    /** The process under load. */
    public record Service(long pid, String name, @Nullable String jvm) {}

    /**
     * What the generator reached on its own null server.
     *
     * @param maxPerSecond requests per second in a closed loop
     * @param cpuMicrosPerRequest CPU time of the generator alone
     */
    public record Calibration(double maxPerSecond, double cpuMicrosPerRequest) {}

    /** How the service was brought to its steady speed, and why that was believed. */
    public record WarmUp(Duration took, long requests, boolean settled, String why) {}

    /**
     * One step of the search.
     *
     * @param phase {@code search} or {@code confirm}
     * @param passed whether the rate counts as sustained
     * @param reasons why it did not pass; empty where it did
     * @param failures failed requests by kind
     * @param failureReasons one reason for each of these kinds, such as {@code status 503}
     * @param littleRatio in flight / (rate x latency): 1 where stationary
     */
    public record Step(
            int index,
            String phase,
            double offeredPerSecond,
            double sentPerSecond,
            double completedPerSecond,
            Duration duration,
            boolean passed,
            List<String> reasons,
            Map<String, Long> failures,
            Map<String, String> failureReasons,
            double meanInFlight,
            double littleRatio,
            LatencySummary fromIntended,
            LatencySummary fromSent,
            LatencySummary scheduleLag,
            List<SecondSample> seconds,
            GeneratorCost generator,
            @Nullable ServiceSample service) {

        public Step {
            reasons = List.copyOf(reasons);
            failures = Map.copyOf(failures);
            failureReasons = Map.copyOf(failureReasons);
            seconds = List.copyOf(seconds);
        }
    }

    public CheckResult {
        steps = List.copyOf(steps);
    }
}
