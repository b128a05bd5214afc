package dev.weir.lab.cli;

import dev.weir.lab.size.SizingInputs;
import dev.weir.lab.size.SizingReport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code weir size}: threads, connections and pools for a rate, by arithmetic alone. */
@Command(
        name = "size",
        description = "Computes threads, connections and pools for a rate and a latency, and shows the arithmetic.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {"", "Example:", "  weir size --rate 10000/s --latency 50ms --cores 8"})
final class SizeCommand implements Callable<Integer> {
    private static final int MOST = 100_000;

    @Option(
            names = {"-R", "--rate"},
            required = true,
            paramLabel = "RATE",
            converter = Amount.Rate.class,
            description = "Requests per second over all instances.")
    private double rate;

    @Option(
            names = "--latency",
            required = true,
            paramLabel = "TIME",
            converter = Amount.Time.class,
            description = "Mean time a worker thread is taken by one request, such as 50ms.")
    private Duration latency = Duration.ZERO;

    @Option(
            names = "--cores",
            paramLabel = "COUNT",
            converter = Amount.Count.class,
            description = "Processors of one instance. Default: those of this machine.")
    private @Nullable Long cores;

    @Option(
            names = "--instances",
            paramLabel = "COUNT",
            converter = Amount.Count.class,
            defaultValue = "1",
            description = "Instances that share the rate. Default: 1.")
    private long instances;

    @Option(
            names = "--headroom",
            paramLabel = "FACTOR",
            defaultValue = "1.6",
            description = "Factor over what the mean needs, 1 to 100. Default: 1.6.")
    private double headroom;

    @Option(
            names = "--reuse-interval",
            paramLabel = "TIME",
            converter = Amount.Time.class,
            defaultValue = "150ms",
            description = "Mean time between two requests of one client connection. Default: 150ms.")
    private Duration reuseInterval = Duration.ofMillis(150);

    @Option(
            names = "--cpu-per-request",
            paramLabel = "TIME",
            converter = Amount.Time.class,
            description = "CPU time of one request, such as 100us, to see whether the CPU can carry the rate.")
    private @Nullable Duration cpuPerRequest;

    @Option(
            names = "--db-hold",
            paramLabel = "TIME",
            converter = Amount.Time.class,
            description = "Mean time one request holds a database connection; sizes the pools.")
    private @Nullable Duration databaseHold;

    @Option(
            names = "--db-cores",
            paramLabel = "COUNT",
            converter = Amount.Count.class,
            defaultValue = "4",
            description = "Processors of one database server. Default: 4.")
    private long databaseCores;

    @Option(
            names = "--spindles",
            paramLabel = "COUNT",
            defaultValue = "1",
            description = "Disks of one database server that work at the same time. Default: 1, an SSD.")
    private int spindles;

    @Option(
            names = "--replicas",
            paramLabel = "COUNT",
            defaultValue = "0",
            description = "Database servers that take the reads. Default: 0, the primary takes all.")
    private int replicas;

    @Option(
            names = "--read-share",
            paramLabel = "SHARE",
            defaultValue = "0.9",
            description = "Share of the requests that only read, 0 to 1. Default: 0.9.")
    private double readShare;

    @Option(
            names = "--db-max-connections",
            paramLabel = "COUNT",
            converter = Amount.Count.class,
            defaultValue = "100",
            description = "Connections one database server allows. Default: 100, as PostgreSQL.")
    private long databaseMaxConnections;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Write the result as JSON; - writes it to standard output in the place of the text.")
    private @Nullable Path json;

    @Mixin
    private Console console = new Console();

    @Override
    public Integer call() {
        SizingReport report = SizingReport.of(inputs());
        try (OutputFile file = OutputFile.openOrStandardOutput(json, "--json", console.out())) {
            file.write(report::json);
            if (!file.isStandardOutput()) {
                report.write(console.out());
            }
        }
        console.sayHowTimesWithoutUnitWereRead();
        return ExitCode.OK;
    }

    private SizingInputs inputs() {
        long available = cores == null ? Runtime.getRuntime().availableProcessors() : cores;
        try {
            return new SizingInputs(
                    rate,
                    latency,
                    atMost("--cores", available),
                    atMost("--instances", instances),
                    headroom,
                    reuseInterval,
                    cpuPerRequest,
                    databaseHold == null ? null : database(databaseHold));
        } catch (IllegalArgumentException e) {
            throw new UserException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
    }

    private SizingInputs.Database database(Duration hold) {
        return new SizingInputs.Database(
                hold,
                atMost("--db-cores", databaseCores),
                atMost("--spindles", spindles),
                atMost("--replicas", replicas),
                readShare,
                atMost("--db-max-connections", databaseMaxConnections));
    }

    private static int atMost(String option, long value) {
        if (value > MOST) {
            throw new UserException(ExitCode.USAGE, option + " " + value + " is too many: at most " + MOST);
        }
        return (int) value;
    }
}
