package dev.weir.lab.cli;

import dev.weir.lab.compare.CompareJson;
import dev.weir.lab.compare.ComparePage;
import dev.weir.lab.compare.CompareResult;
import dev.weir.lab.compare.CompareSettings;
import dev.weir.lab.compare.CompareText;
import dev.weir.lab.compare.Comparison;
import dev.weir.lab.compare.Contender;
import dev.weir.lab.compare.Figure;
import dev.weir.lab.compare.RunningService;
import dev.weir.lab.compare.ServiceFailure;
import dev.weir.lab.compare.Variant;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code weir compare}: says whether one way to run a service is faster than another. */
@Command(
        name = "compare",
        description = {
            "Says whether B is faster than A, two ways to start or configure a service, against the machine's own noise.",
            "Each is restarted and warmed, A A first for the floor, then A B B A; capacity, latency at a fixed rate, CPU per request."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  weir compare stock.yaml tuned.yaml",
            "  weir compare --command 'java -jar app.jar --server.port={port}' \\",
            "      --url 'http://127.0.0.1:{port}/x' \\",
            "      --set-b server.tomcat.threads.max=800",
            "  weir compare http://127.0.0.1:8080/ http://127.0.0.1:8081/"
        })
final class CompareCommand implements Callable<Integer> {

    /** The figures by the words of the option {@code --figures}. */
    enum Figures {
        CAPACITY,
        LATENCY,
        CPU;

        Set<Figure> figures() {
            return switch (this) {
                case CAPACITY -> Set.of(Figure.CAPACITY);
                case LATENCY -> Set.of(Figure.LATENCY_P50, Figure.LATENCY_P99);
                case CPU -> Set.of(Figure.CPU_PER_REQUEST);
            };
        }
    }

    @Mixin
    private CompareSides sides = new CompareSides();

    @Mixin
    private CompareRequests requests = new CompareRequests();

    @Option(
            names = "--figures",
            split = ",",
            paramLabel = "WORD",
            description = "What is compared, by commas: capacity, latency, cpu. Default: all.")
    private List<Figures> figures = new ArrayList<>(List.of(Figures.values()));

    @Option(
            names = {"-R", "-q", "--rate"},
            paramLabel = "RATE",
            converter = Amount.Rate.class,
            description = "The fixed rate, for both sides. Default: a share of A's capacity.")
    private @Nullable Double rate;

    @Option(
            names = "--share",
            paramLabel = "NUMBER",
            defaultValue = "0.6",
            description = "That share, above 0 and below 1. Default: 0.6.")
    private double share;

    @Option(
            names = {"-d", "-z", "--time"},
            paramLabel = "TIME",
            converter = Amount.Time.class,
            description = "How long each measurement takes, two in each run. Default: 15s.")
    private Duration time = Duration.ofSeconds(15);

    @Option(
            names = "--warmup",
            paramLabel = "TIME",
            converter = Amount.Time.class,
            description = "The longest warm-up of a run; it ends when the rate is steady. Default: 30s.")
    private Duration warmUp = Duration.ofSeconds(30);

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "2",
            description = "How often A B B A. Default: 2, which makes ten runs with A A.")
    private int rounds;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Of arrivals and bootstrap. Default: 1.")
    private long seed;

    @Option(names = "--logs", paramLabel = "FOLDER", description = "Keep what the services print, a file each run.")
    private @Nullable Path logs;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Write the result as JSON; - writes it to standard output in the place of the text.")
    private @Nullable Path json;

    @Option(names = "--report", paramLabel = "FILE", description = "Write the result as one HTML page.")
    private @Nullable Path report;

    @Option(names = "--fail-if-slower", description = "Exit code 99 where B is slower in any figure.")
    private boolean failIfSlower;

    @Option(names = "--quiet", description = "Print no progress.")
    private boolean quiet;

    @Mixin
    private Console console = new Console();

    private boolean stopped;

    @Override
    public Integer call() {
        CompareSides.Pair pair = sides.pair();
        CompareSettings settings = settings();
        requests.check(exampleUrl(pair.a()));
        requests.check(exampleUrl(pair.b()));
        try (OutputFile jsonFile = OutputFile.openOrStandardOutput(json, "--json", console.out());
                OutputFile reportFile = OutputFile.open(report, "--report")) {
            OutputFile.requireDistinct(jsonFile, reportFile, "--json and --report");
            CompareResult result = run(pair, settings);
            if (!jsonFile.isStandardOutput()) {
                console.out().println(CompareText.of(result));
            }
            jsonFile.write(() -> CompareJson.of(result));
            reportFile.write(() -> ComparePage.of(result));
            return exitCode(result);
        }
    }

    private CompareSettings settings() {
        Set<Figure> chosen = EnumSet.noneOf(Figure.class);
        figures.forEach(group -> chosen.addAll(group.figures()));
        try {
            return new CompareSettings(chosen, rounds, time, warmUp, rate, share, seed);
        } catch (IllegalArgumentException e) {
            throw new UserException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
    }

    private static String exampleUrl(Contender contender) {
        return switch (contender) {
            case Variant variant -> variant.url().replace("{port}", "1");
            case RunningService running -> running.url();
        };
    }

    private CompareResult run(CompareSides.Pair pair, CompareSettings settings) {
        Thread comparing = Thread.currentThread();
        try (LogFolder folder = LogFolder.open(logs);
                StopSignals signals = StopSignals.handle(comparing::interrupt)) {
            CompareResult result = new Comparison(
                            pair.a(),
                            pair.b(),
                            settings,
                            requests.generators(seed),
                            this::tell,
                            folder.path(),
                            Clock.systemUTC())
                    .run();
            stopped = signals.received();
            return result;
        } catch (ServiceFailure e) {
            throw new UserException(ExitCode.UNREACHABLE, String.valueOf(e.getMessage()), e);
        }
    }

    private void tell(String line) {
        if (!quiet) {
            console.err().println(line);
        }
    }

    private int exitCode(CompareResult result) {
        if (stopped || !result.complete()) {
            return ExitCode.INTERRUPTED;
        }
        return failIfSlower && result.anySlower() ? ExitCode.SLO_FAILED : ExitCode.OK;
    }
}
