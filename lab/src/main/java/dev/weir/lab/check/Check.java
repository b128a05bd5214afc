package dev.weir.lab.check;

import dev.weir.lab.check.CheckOutcome.Ending;
import dev.weir.lab.check.CheckResult.Calibration;
import dev.weir.lab.check.CheckResult.Step;
import dev.weir.lab.check.CheckResult.WarmUp;
import dev.weir.lab.collect.ServiceSample;
import dev.weir.lab.diagnose.Diagnosis;
import dev.weir.lab.diagnose.DiagnosisInput;
import dev.weir.lab.diagnose.StepFigures;
import dev.weir.lab.diagnose.Verdict;
import dev.weir.lab.host.Machine;
import dev.weir.lab.knee.Capacity;
import dev.weir.lab.knee.Judgement;
import dev.weir.lab.knee.Search;
import dev.weir.lab.knee.SearchPlan;
import dev.weir.lab.knee.Slo;
import dev.weir.lab.knee.Slo.LatencyBound;
import dev.weir.lab.knee.StepSecond;
import dev.weir.lab.knee.UslFit;
import dev.weir.lab.measure.Measurement;
import dev.weir.lab.plan.Load;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One {@code weir check}: finds and watches the service's process before any load, calibrates the generator, warms the
 * service up, lets a {@link Search} find the rate at which it stalls, and names what stops it.
 *
 * <p>{@link #run} is called once. All decisions are made by pure classes; this one only carries them out.
 */
public final class Check {
    /** The latency bound where no objective is given: generous, so that it only speaks where a plateau does not. */
    private static final double USUAL_BOUND_MILLIS = 2_000;

    private static final double USUAL_BOUND_OF_LOW_P99 = 20;
    private static final double LOW_SHARE = 0.1;
    private static final double START_SHARE = 0.25;
    private static final Duration LOW_RUN = Duration.ofSeconds(3);
    private static final double LEAST_START = 1;
    /** Steps in a row without one answer, after which the service counts as gone. */
    private static final int SILENT_STEPS = 2;

    private final CheckConfig config;
    private final CheckListener listener;
    private final LoadDriver driver;
    private final Steps steps = new Steps();
    private final List<String> missing = new ArrayList<>();

    /** Makes one; nothing happens yet. */
    public Check(CheckConfig config, CheckListener listener) {
        this.config = config;
        this.listener = listener;
        driver = new LoadDriver(config);
    }

    /** Ends the check early: {@link #run} returns what is known so far. From any thread; never blocks. */
    public void stop() {
        driver.stop();
    }

    /**
     * Runs the check. Blocks for the time the config allows, and leaves nothing running.
     *
     * @throws CheckFailedException if the service does not answer as it should before the search
     * @throws InterruptedException if the thread was interrupted
     */
    public CheckOutcome run() throws InterruptedException {
        try (driver;
                Watch watch = ServiceFinder.watch(config)) {
            return new Run(watch).go();
        }
    }

    private final class Run {
        private final Instant startedAt = Instant.now();
        private final long startNanos = System.nanoTime();
        private final Watch watch;
        private int silent;

        Run(Watch watch) {
            this.watch = watch;
            missing.addAll(watch.missing());
        }

        CheckOutcome go() throws InterruptedException {
            sayService();
            Calibration calibration = calibrate();
            WarmUpRun.Warmed warmed = new WarmUpRun(config, driver, watch, listener).run();
            listener.says(String.format(
                    Locale.ROOT,
                    "warm-up: %s after %.0f s: %s",
                    warmed.warmUp().settled() ? "settled" : "not settled",
                    warmed.warmUp().took().toMillis() / 1000.0,
                    warmed.warmUp().why()));
            Measurement low = atLowRate(warmed.perSecond());
            Slo slo = slo(low);
            Search search = new Search(searchPlan(warmed.perSecond(), low, slo));
            Finding finding = search(search, low);
            CheckResult result = result(calibration, warmed.warmUp(), slo, finding.capacity());
            return new CheckOutcome(result, finding.ending(), finding.why());
        }

        private void sayService() {
            CheckResult.Service service = watch.service();
            listener.says(
                    service == null
                            ? "service: its process is not seen: " + String.join(" ", watch.missing())
                            : "service: process " + service.pid() + ", " + service.name()
                                    + (service.jvm() == null ? "" : ", " + service.jvm()));
        }

        private Calibration calibrate() throws InterruptedException {
            try {
                Calibration calibration = Calibrator.calibrate(config.threads(), driver::stopped);
                listener.says(String.format(
                        Locale.ROOT,
                        "generator: up to %,.0f requests/s on this machine, %.1f us of CPU each",
                        calibration.maxPerSecond(),
                        calibration.cpuMicrosPerRequest()));
                return calibration;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** A look at a low rate, for the latency without any queue. */
        private Measurement atLowRate(double warmPerSecond) throws InterruptedException {
            double rate = Math.clamp(LOW_SHARE * warmPerSecond, LEAST_START, config.maxPerSecond());
            return driver.run(Load.poisson(rate, LOW_RUN, config.seed()), listener::second);
        }

        private Slo slo(Measurement low) {
            Slo given = config.slo();
            if (given != null) {
                return given;
            }
            double p99 = low.fromIntended().getValueAtPercentile(99) / 1e6;
            double bound = Math.max(USUAL_BOUND_MILLIS, Math.ceil(USUAL_BOUND_OF_LOW_P99 * p99));
            return new Slo(
                    List.of(new LatencyBound(
                            99, Math.min(bound, (double) config.timeout().toMillis()))),
                    Slo.DEFAULT_MAX_ERROR_SHARE);
        }

        private SearchPlan searchPlan(double warmPerSecond, Measurement low, Slo slo) {
            double start = config.startPerSecond() > 0
                    ? config.startPerSecond()
                    : Math.clamp(START_SHARE * warmPerSecond, LEAST_START, config.maxPerSecond());
            double base =
                    low.completed() == 0 ? 1 : Math.max(0.05, low.fromSent().getMean() / 1e6);
            return SearchPlan.within(config.budget(), start, config.maxPerSecond(), config.precision(), slo, base);
        }

        private record Finding(Capacity capacity, Ending ending, String why) {}

        private Finding search(Search search, Measurement low) throws InterruptedException {
            double base = low.completed() == 0 ? 1 : low.fromSent().getMean() / 1e6;
            while (!driver.stopped()) {
                switch (search.next()) {
                    case Search.Action.Done done -> {
                        return new Finding(
                                done.capacity(), done.settled() ? Ending.SETTLED : Ending.UNSETTLED, done.why());
                    }
                    case Search.Action.Rest rest -> {
                        listener.says("resting " + rest.duration().toSeconds() + " s: " + rest.why());
                        Thread.sleep(rest.duration());
                        search.rested();
                    }
                    case Search.Action.Probe probe -> {
                        driver.prepareFor(probe.ratePerSecond(), base);
                        probe(search, probe);
                        if (silent >= SILENT_STEPS) {
                            return new Finding(
                                    search.soFar(),
                                    Ending.SERVICE_LOST,
                                    String.format(
                                            Locale.ROOT,
                                            "the service stopped answering; the last rate offered was %.0f/s",
                                            probe.ratePerSecond()));
                        }
                    }
                }
            }
            return new Finding(search.soFar(), Ending.STOPPED, "the check was stopped");
        }

        private void probe(Search search, Search.Action.Probe probe) throws InterruptedException {
            long start = System.nanoTime();
            List<StepSecond> soFar = new ArrayList<>();
            Load load = Load.poisson(
                    probe.ratePerSecond(),
                    Duration.ofSeconds(probe.maxSeconds()),
                    config.seed() + steps.steps().size());
            // Not earlier: while the connections are made the service idles, which would make it look half as busy.
            Measurement run = driver.run(load, watch::begin, second -> {
                listener.second(second);
                if (second.second() == soFar.size() && soFar.size() < probe.maxSeconds()) {
                    soFar.add(Observations.live(second));
                    if (search.enough(soFar)) {
                        driver.finish();
                    }
                }
            });
            ServiceSample sample = watch.end();
            if (driver.stopped()) {
                return;
            }
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            silent = run.completed() == 0 && run.offered() > 0 ? silent + 1 : 0;
            Judgement judgement = search.judge(Observations.of(run, driver.connections(), took));
            boolean waited = !judgement.passed() && Observations.waitedForConnections(run, driver.connections());
            if (waited && driver.grow()) {
                listener.says(String.format(
                        Locale.ROOT,
                        "all connections were in use at %.0f/s: taking %d and trying again",
                        probe.ratePerSecond(),
                        driver.connections()));
                return;
            }
            search.observe(Observations.of(run, driver.connections(), took));
            if (probe.phase() == Search.Phase.RECOVER) {
                return;
            }
            Step step = steps.add(probe.phase(), run, judgement, sample);
            listener.says(CheckText.stepLine(step));
        }

        private CheckResult result(Calibration calibration, WarmUp warmUp, Slo slo, Capacity capacity) {
            Machine machine = Machine.current();
            return new CheckResult(
                    CheckResult.SCHEMA,
                    config.plan().target().url(),
                    startedAt,
                    Duration.ofNanos(System.nanoTime() - startNanos),
                    machine,
                    watch.service(),
                    slo,
                    calibration,
                    warmUp,
                    capacity,
                    UslFit.of(steps.points()),
                    verdict(calibration, capacity, machine),
                    steps.steps());
        }

        private Verdict verdict(Calibration calibration, Capacity capacity, Machine machine) {
            @Nullable StepFigures at = steps.at().orElse(null);
            if (at == null) {
                return new Verdict(
                        Verdict.Cause.UNKNOWN,
                        "The check ended before the first step did.",
                        List.of(),
                        null,
                        List.of("A step of load: let the check run longer."));
            }
            return Diagnosis.of(new DiagnosisInput(
                    capacity,
                    steps.light().orElse(null),
                    steps.below().orElse(null),
                    at,
                    calibration.maxPerSecond(),
                    machine,
                    missing));
        }
    }
}
