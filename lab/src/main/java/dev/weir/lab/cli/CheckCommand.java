package dev.weir.lab.cli;

import dev.weir.lab.check.Check;
import dev.weir.lab.check.CheckConfig;
import dev.weir.lab.check.CheckFailedException;
import dev.weir.lab.check.CheckJson;
import dev.weir.lab.check.CheckListener;
import dev.weir.lab.check.CheckOutcome;
import dev.weir.lab.check.CheckOutcome.Ending;
import dev.weir.lab.check.CheckText;
import dev.weir.lab.engine.Tls;
import dev.weir.lab.knee.Slo;
import dev.weir.lab.load.FirstContact;
import dev.weir.lab.load.ProgressLine;
import dev.weir.lab.measure.SecondSample;
import dev.weir.lab.plan.RequestPlan;
import dev.weir.lab.report.CheckReport;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code weir check}: finds the rate at which a service stalls and names what stops it. */
@Command(
        name = "check",
        description = "Finds the rate at which a service stalls, names what stops it, and says the one change to make.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  weir check http://localhost:8080/products/1",
            "  weir check http://localhost:8080 -f mix.yaml \\",
            "      --slo 'p99<200ms,errors<0.1%%'",
            "  weir check http://localhost:8080/ --min-rate 2k --json check.json",
            "      (for CI: exit code 99 below it)"
        })
final class CheckCommand implements Callable<Integer> {
    @Mixin
    private TargetOptions target = new TargetOptions();

    @Option(
            names = "--pid",
            paramLabel = "PID",
            description = "The service's process, where it is not the one listening on the URL's port.")
    private List<Long> pids = new ArrayList<>();

    @Option(
            names = "--slo",
            paramLabel = "BOUNDS",
            description =
                    "What a rate must hold to count as sustained, such as 'p99<200ms,errors<0.1%%'. Default: answers"
                            + " keep up with requests, errors<0.1%%, and p99 below the larger of 2 s and 20 times the p99 at"
                            + " a low rate.")
    private List<String> bounds = new ArrayList<>();

    @Option(
            names = "--start",
            paramLabel = "RATE",
            converter = Amount.Rate.class,
            description = "First rate of the search. Default: a quarter of what the warm-up reached.")
    private @Nullable Double start;

    @Option(
            names = "--max",
            paramLabel = "RATE",
            converter = Amount.Rate.class,
            description = "Highest rate of the search. Default: 1M.")
    private @Nullable Double max;

    @Option(
            names = "--min-rate",
            paramLabel = "RATE",
            converter = Amount.Rate.class,
            description = "Exit code 99 where the low end of the interval is below this rate.")
    private @Nullable Double minRate;

    @Option(
            names = "--precision",
            paramLabel = "PERCENT",
            converter = Percent.class,
            defaultValue = "5%",
            description = "How exact: the interval reaches this far from its middle, 1%% to 50%%. Default: 5%%.")
    private double precision;

    @Option(
            names = "--time-budget",
            paramLabel = "TIME",
            converter = Amount.Time.class,
            defaultValue = "90s",
            description = "Time for the search's steps, 16s or more. Default: 90s.")
    private Duration budget = CheckConfig.DEFAULT_BUDGET;

    @Option(
            names = "--warmup-max",
            paramLabel = "TIME",
            converter = Amount.Time.class,
            defaultValue = "25s",
            description = "The longest warm-up. Default: 25s.")
    private Duration warmUp = CheckConfig.DEFAULT_WARM_UP;

    @Option(
            names = {"-c", "--connections-max"},
            paramLabel = "COUNT",
            converter = Amount.Count.class,
            description = "The most connections; fewer are used where fewer do. Default: 1000.")
    private @Nullable Long connections;

    @Option(
            names = {"-t", "--threads"},
            paramLabel = "COUNT",
            converter = Amount.Count.class,
            description = "Threads of the generator. Default: half the processors, at most 4.")
    private @Nullable Long threads;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            converter = Amount.Time.class,
            defaultValue = "10s",
            description = "How long an answer may take before it counts as failed. Default: 10s.")
    private Duration timeout = CheckConfig.DEFAULT_TIMEOUT;

    @Option(names = "--seed", paramLabel = "NUMBER", description = "Of random arrivals and values. Default: 1.")
    private long seed = 1;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Write the result as JSON; - writes it to standard output in the place of the text.")
    private @Nullable Path json;

    @Option(
            names = "--report",
            paramLabel = "FILE",
            defaultValue = "weir-report.html",
            description = "Where to write the report, one HTML file. Default: weir-report.html.")
    private Path report = Path.of("weir-report.html");

    @Option(names = "--no-report", description = "Write no report.")
    private boolean noReport;

    @Option(names = "--quiet", description = "Print no progress.")
    private boolean quiet;

    @Mixin
    private Console console = new Console();

    private boolean interrupted;

    @Override
    public Integer call() throws InterruptedException {
        RequestPlan plan = target.plan();
        CheckConfig config = config(plan);
        try (OutputFile jsonFile = OutputFile.openOrStandardOutput(json, "--json", console.out());
                OutputFile reportFile = OutputFile.open(noReport ? null : report, "--report")) {
            OutputFile.requireDistinct(jsonFile, reportFile, "--json and --report");
            CheckOutcome outcome = run(config);
            jsonFile.write(() -> CheckJson.text(outcome.result()));
            reportFile.write(() -> CheckReport.render(outcome.result()));
            if (!jsonFile.isStandardOutput()) {
                print(outcome);
            }
            return exitCode(outcome);
        } catch (CheckFailedException e) {
            String message = e.getMessage();
            throw new UserException(ExitCode.UNREACHABLE, message == null ? e.toString() : message, e);
        }
    }

    private CheckConfig config(RequestPlan plan) {
        int most = connections();
        checkPids();
        Tls tls = target.tls(plan.target());
        Slo slo = Objective.of(bounds);
        try {
            CheckConfig unresolved = new CheckConfig(
                    plan,
                    InetSocketAddress.createUnresolved(
                            plan.target().host(), plan.target().port()),
                    tls,
                    !target.closesConnections(),
                    pids,
                    slo,
                    start == null ? 0 : start,
                    max == null ? Math.max(CheckConfig.DEFAULT_MAX_PER_SECOND, start == null ? 0 : start) : max,
                    precision,
                    budget,
                    warmUp,
                    most,
                    threads(),
                    timeout,
                    seed);
            // Only what would be started is reached out to.
            return unresolved.at(FirstContact.make(plan.target(), tls, Duration.ofSeconds(5)));
        } catch (IllegalArgumentException e) {
            String message = e.getMessage();
            throw new UserException(ExitCode.USAGE, message == null ? e.toString() : message, e);
        }
    }

    private void checkPids() {
        for (long pid : pids) {
            if (ProcessHandle.of(pid).isEmpty()) {
                throw new UserException(
                        ExitCode.USAGE,
                        "--pid " + pid + ": there is no such process; leave --pid out to find it by the URL's port");
            }
        }
    }

    private int connections() {
        long wanted = connections == null ? CheckConfig.DEFAULT_CONNECTIONS : connections;
        if (wanted > 65_536) {
            throw new UserException(ExitCode.USAGE, "-c " + wanted + " is too many: at most 65536");
        }
        if (connections != null) {
            OpenFiles.check(wanted);
        }
        wanted = Math.min(wanted, Math.max(1, OpenFiles.mostConnections()));
        return (int) wanted;
    }

    private int threads() {
        if (threads == null) {
            return Math.min(CheckConfig.defaultThreads(), connections());
        }
        if (threads > 256) {
            throw new UserException(ExitCode.USAGE, "-t " + threads + " is too many: at most 256");
        }
        return threads.intValue();
    }

    private CheckOutcome run(CheckConfig config) throws InterruptedException {
        Progress progress = new Progress(console.err(), quiet, Terminal.isErrorOutput());
        Check check = new Check(config, progress);
        try (StopSignals signals = StopSignals.handle(check::stop)) {
            CheckOutcome outcome = check.run();
            interrupted = signals.received();
            return outcome;
        } finally {
            progress.end();
        }
    }

    private void print(CheckOutcome outcome) {
        CheckText.write(console.out(), outcome);
        if (!noReport) {
            console.out().println("Report: " + report);
        }
        console.out().flush();
    }

    private int exitCode(CheckOutcome outcome) {
        if (interrupted || outcome.ending() == Ending.STOPPED) {
            return ExitCode.INTERRUPTED;
        }
        if (outcome.ending() == Ending.SERVICE_LOST) {
            return ExitCode.UNREACHABLE;
        }
        double low = outcome.result().capacity().lowPerSecond();
        boolean tooLow = minRate != null && low < minRate;
        return tooLow || low == 0 ? ExitCode.SLO_FAILED : ExitCode.OK;
    }

    /** Prints a line for each step, and on a terminal the seconds between. */
    private static final class Progress implements CheckListener {
        private final PrintWriter err;
        private final boolean quiet;
        private final @Nullable ProgressLine seconds;

        Progress(PrintWriter err, boolean quiet, boolean terminal) {
            this.err = err;
            this.quiet = quiet;
            seconds = terminal && !quiet ? new ProgressLine(err, true) : null;
        }

        @Override
        public void says(String line) {
            if (!quiet) {
                end();
                err.println(line);
                err.flush();
            }
        }

        @Override
        public void second(SecondSample second) {
            if (seconds != null) {
                seconds.accept(second);
            }
        }

        void end() {
            if (seconds != null) {
                seconds.end();
            }
        }
    }

    /** Shares such as {@code 5%}; the sign may be left out. */
    static final class Percent implements ITypeConverter<Double> {
        @Override
        public Double convert(String text) {
            String number = text.strip().replaceFirst("%$", "").strip();
            if (!number.matches("\\d{1,3}(\\.\\d{1,6})?")) {
                throw new TypeConversionException("'" + text + "' is not a percentage: write one such as 5%");
            }
            return Double.parseDouble(number) / 100;
        }
    }
}
