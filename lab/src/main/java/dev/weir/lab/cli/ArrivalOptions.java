package dev.weir.lab.cli;

import dev.weir.lab.plan.Load;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say when requests are sent, and over how many threads and connections. */
final class ArrivalOptions {
    /** What wrk uses where nothing is said. */
    private static final int CLOSED_CONNECTIONS = 10;

    private static final Duration DEFAULT_DURATION = Duration.ofSeconds(10);
    /** A run bounded by a number of requests ends after this time as well, so that it cannot hang. */
    private static final Duration LONGEST_COUNTED_RUN = Duration.ofHours(1);
    /** Latency up to which the default connections of an open loop suffice. */
    private static final double COVERED_LATENCY_SECONDS = 0.1;

    private static final int FEWEST_OPEN_CONNECTIONS = 16;
    private static final int MOST_OPEN_CONNECTIONS = 512;
    private static final int MOST_CONNECTIONS = 65_536;
    private static final int MOST_THREADS = 256;

    /** Arrivals of an open loop. */
    enum Arrivals {
        CONSTANT,
        POISSON
    }

    @Option(
            names = {"-R", "-q", "--rate"},
            paramLabel = "RATE",
            converter = Amount.Rate.class,
            description = "Requests per second in total: an open loop, such as 1000, 1k or 1000/s. Without it each"
                    + " connection sends as soon as it has its answer: a closed loop, as wrk does.")
    private @Nullable Double rate;

    @Option(
            names = {"-d", "-z", "--duration"},
            paramLabel = "TIME",
            converter = Amount.Time.class,
            description = "How long to send, such as 30s, 2m or 500ms. Default: 10s; with -n up to 1h.")
    private @Nullable Duration duration;

    @Option(
            names = {"-n", "--requests"},
            paramLabel = "COUNT",
            converter = Amount.Count.class,
            description = "End after this many requests, such as 10k.")
    private @Nullable Long requests;

    @Option(
            names = {"-c", "--connections"},
            paramLabel = "COUNT",
            converter = Amount.Count.class,
            description = "Connections kept open, in total. Default: 10 in a closed loop; in an open loop enough for"
                    + " 100 ms of latency, 16 to 512.")
    private @Nullable Long connections;

    @Option(
            names = {"-t", "--threads"},
            paramLabel = "COUNT",
            converter = Amount.Count.class,
            description = "Threads of the generator. Default: half the processors, at most 4.")
    private @Nullable Long threads;

    @Option(
            names = "--arrivals",
            paramLabel = "KIND",
            description = "Arrivals of an open loop: poisson (default), as independent users make them, or constant,"
                    + " at even distances.")
    private @Nullable Arrivals arrivals;

    @Option(names = "--poisson", description = "The same as --arrivals poisson.")
    private boolean poisson;

    @Option(names = "--closed", description = "Say that a closed loop is meant; not together with -R.")
    private boolean closed;

    @Option(
            names = "--seed",
            paramLabel = "NUMBER",
            description = "Of random arrivals and values, to repeat a run. Default: another one each time, printed.")
    private @Nullable Long seed;

    /** When requests are sent. */
    Load load() {
        if (rate == null) {
            return closedLoop();
        }
        if (closed) {
            throw new UserException(
                    ExitCode.USAGE, "--closed does not go with -R: a closed loop has no rate of its own");
        }
        if (poisson && arrivals == Arrivals.CONSTANT) {
            throw new UserException(
                    ExitCode.USAGE, "--poisson and --arrivals constant contradict each other: keep one");
        }
        Load.Mode mode = arrivals == Arrivals.CONSTANT ? Load.Mode.CONSTANT : Load.Mode.POISSON;
        return new Load(mode, rate, longest(), mostRequests(), chosenSeed());
    }

    private Load closedLoop() {
        if (poisson || arrivals != null) {
            throw new UserException(
                    ExitCode.USAGE, "--poisson and --arrivals need a rate: add -R, for example -R 1000");
        }
        return new Load(Load.Mode.CLOSED, 0, longest(), mostRequests(), chosenSeed());
    }

    private Duration longest() {
        if (duration != null) {
            return duration;
        }
        return requests == null ? DEFAULT_DURATION : LONGEST_COUNTED_RUN;
    }

    private long mostRequests() {
        return requests == null ? Long.MAX_VALUE : requests;
    }

    private long chosenSeed() {
        return seed == null ? System.nanoTime() & Integer.MAX_VALUE : seed;
    }

    /** Connections over all threads. */
    int connections() {
        if (connections == null) {
            return rate == null ? CLOSED_CONNECTIONS : openConnections(rate);
        }
        return atMost("-c", connections, MOST_CONNECTIONS);
    }

    private static int openConnections(double ratePerSecond) {
        return (int) Math.clamp(
                Math.ceil(ratePerSecond * COVERED_LATENCY_SECONDS), FEWEST_OPEN_CONNECTIONS, MOST_OPEN_CONNECTIONS);
    }

    /** Engine threads, at most as many as connections. */
    int threads(int processors) {
        int available = connections();
        if (threads == null) {
            return Math.clamp(processors / 2, 1, Math.min(4, available));
        }
        int wanted = atMost("-t", threads, MOST_THREADS);
        if (wanted > available) {
            throw new UserException(
                    ExitCode.USAGE,
                    String.format(
                            Locale.ROOT,
                            "-t %d is more than the %d connections, and each thread needs one: lower -t or raise -c",
                            wanted,
                            available));
        }
        return wanted;
    }

    private static int atMost(String option, long value, int most) {
        if (value > most) {
            throw new UserException(ExitCode.USAGE, option + " " + value + " is too many: at most " + most);
        }
        return (int) value;
    }
}
