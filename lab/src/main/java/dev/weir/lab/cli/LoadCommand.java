package dev.weir.lab.cli;

import dev.weir.lab.engine.EngineConfig;
import dev.weir.lab.engine.Generator;
import dev.weir.lab.engine.LoadEngine;
import dev.weir.lab.engine.Tls;
import dev.weir.lab.host.Machine;
import dev.weir.lab.knee.Slo;
import dev.weir.lab.load.FirstContact;
import dev.weir.lab.load.HistogramLog;
import dev.weir.lab.load.LoadJson;
import dev.weir.lab.load.LoadOptions;
import dev.weir.lab.load.LoadResult;
import dev.weir.lab.load.LoadText;
import dev.weir.lab.load.ProgressLine;
import dev.weir.lab.measure.Measurement;
import dev.weir.lab.measure.SecondSample;
import dev.weir.lab.plan.Load;
import dev.weir.lab.plan.RequestPlan;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code weir load}: puts load on a service and measures it. */
@Command(
        name = "load",
        description = "Puts load on an HTTP service and measures what its users would feel.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  weir load http://localhost:8080/ -R 1000 -d 30s",
            "  weir load http://localhost:8080/ -c 64            (closed loop, as wrk)",
            "  weir load http://localhost:8080 -f mix.yaml -R 2k \\",
            "      --slo 'p99<200ms,errors<0.1%%'"
        })
final class LoadCommand implements Callable<Integer> {
    @Mixin
    private TargetOptions target = new TargetOptions();

    @Mixin
    private ArrivalOptions arrival = new ArrivalOptions();

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            converter = Amount.Time.class,
            defaultValue = "2s",
            description = "How long an answer may take before it counts as failed. Default: 2s, as wrk.")
    private Duration timeout = Duration.ofSeconds(2);

    @Option(
            names = "--max-header-bytes",
            paramLabel = "SIZE",
            converter = Amount.Bytes.class,
            defaultValue = "64k",
            description = "Longest header of a response. Default: 64k.")
    private long maxHeaderBytes;

    @Option(
            names = "--max-body-bytes",
            paramLabel = "SIZE",
            converter = Amount.Bytes.class,
            defaultValue = "1g",
            description = "Longest body of a response. Default: 1g.")
    private long maxBodyBytes;

    @Option(
            names = "--slo",
            paramLabel = "BOUNDS",
            description = "Objective such as 'p99<200ms,errors<0.1%%'; exit code 99 where it does not hold.")
    private List<String> bounds = new ArrayList<>();

    @Option(
            names = {"-L", "--latency"},
            description = "Print all percentiles as well.")
    private boolean percentiles;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Write the result as JSON; - writes it to standard output in the place of the text.")
    private @Nullable Path json;

    @Option(names = "--hlog", paramLabel = "FILE", description = "Write the histograms as an HdrHistogram log.")
    private @Nullable Path histograms;

    @Option(names = "--quiet", description = "Print no progress.")
    private boolean quiet;

    @Mixin
    private Console console = new Console();

    @Override
    public Integer call() throws InterruptedException, IOException {
        RequestPlan plan = target.plan();
        Load load = arrival.load();
        Slo slo = Objective.of(bounds);
        try (OutputFile jsonFile = OutputFile.openOrStandardOutput(json, "--json", console.out());
                OutputFile histogramFile = OutputFile.open(histograms, "--hlog")) {
            OutputFile.requireDistinct(jsonFile, histogramFile, "--json and --hlog");
            EngineConfig config = config(plan, load);
            Instant startedAt = Instant.now();
            Run run = run(config, load);
            LoadOptions options =
                    LoadOptions.of(plan, load, config.threads(), config.connections(), timeout.toNanos() / 1e9);
            LoadResult result =
                    LoadResult.of(options, run.measurement(), Machine.current(), startedAt, run.interrupted(), slo);
            if (!jsonFile.isStandardOutput()) {
                print(result, run.measurement());
            }
            jsonFile.write(() -> LoadJson.text(result));
            histogramFile.write(() -> HistogramLog.text(run.measurement(), startedAt));
            return exitCode(result);
        }
    }

    private EngineConfig config(RequestPlan plan, Load load) {
        int connections = arrival.connections();
        int threads = arrival.threads(Runtime.getRuntime().availableProcessors());
        int headerLimit = headerLimit();
        OpenFiles.check(connections);
        Tls tls = target.tls(plan.target());
        InetSocketAddress address = FirstContact.make(plan.target(), tls, connectTimeout());
        return new EngineConfig(
                address,
                tls,
                threads,
                connections,
                connectTimeout(),
                timeout,
                timeout,
                headerLimit,
                maxBodyBytes,
                !target.closesConnections(),
                plan.sources(load.seed()));
    }

    private Duration connectTimeout() {
        Duration usual = Duration.ofSeconds(5);
        return timeout.compareTo(usual) > 0 ? usual : timeout;
    }

    private int headerLimit() {
        if (maxHeaderBytes < 64 || maxHeaderBytes > 1 << 24) {
            throw new UserException(
                    ExitCode.USAGE, "--max-header-bytes is " + maxHeaderBytes + ": it must be from 64 to 16M");
        }
        return (int) maxHeaderBytes;
    }

    /** What a run gave. */
    private record Run(Measurement measurement, boolean interrupted) {}

    private Run run(EngineConfig config, Load load) throws InterruptedException, IOException {
        ProgressLine progress = new ProgressLine(console.err(), Terminal.isErrorOutput());
        Consumer<SecondSample> told = quiet ? second -> {} : progress;
        AtomicBoolean stopped = new AtomicBoolean();
        try (Generator generator = new LoadEngine(config);
                StopSignals signals = StopSignals.handle(() -> {
                    stopped.set(true);
                    generator.finish();
                })) {
            Measurement measurement = generator.run(load, second -> {
                // A signal before the run was under way found nothing to stop.
                if (stopped.get()) {
                    generator.finish();
                }
                told.accept(second);
            });
            return new Run(measurement, signals.received());
        } finally {
            progress.end();
        }
    }

    private void print(LoadResult result, Measurement run) {
        LoadText.write(console.out(), result);
        if (percentiles) {
            LoadText.writePercentiles(console.out(), run);
        }
    }

    private int exitCode(LoadResult result) {
        if (result.interrupted()) {
            return ExitCode.INTERRUPTED;
        }
        if (result.completed() == 0) {
            throw new UserException(
                    ExitCode.UNREACHABLE,
                    "nothing was answered: check that " + result.options().url() + " is the service meant, and raise"
                            + " --timeout if it needs longer than " + timeout.toMillis() + " ms");
        }
        LoadResult.Objective slo = result.slo();
        return slo == null || slo.holds() ? ExitCode.OK : ExitCode.SLO_FAILED;
    }
}
