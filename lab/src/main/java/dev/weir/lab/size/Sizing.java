package dev.weir.lab.size;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Sizes of one instance's pools and limits for a rate and a latency, each with its arithmetic. It rests on Little's law,
 * N = X R (Little, A Proof for the Queuing Formula: L = lambda W, 1961): so many are inside as arrive per second times
 * the seconds each stays.
 *
 * @param lines the sizes, in the order of a request's way
 * @param warnings why they cannot work, or do harm, each as a sentence; empty where nothing speaks against them
 */
public record Sizing(List<Line> lines, List<String> warnings) {

    /** Tomcat's own default; a lower bound saves nothing, as idle connections cost little. */
    static final int DEFAULT_MAX_CONNECTIONS = 8_192;
    /** Tomcat's own default. */
    static final int DEFAULT_ACCEPT_COUNT = 100;
    /** Tomcat's own default. */
    static final int DEFAULT_MIN_SPARE = 10;
    /** How long a burst may last that is to wait in the accept queue instead of being refused. */
    static final double BURST_SECONDS = 0.1;
    /** One in so many threads is kept ready. */
    static final int THREADS_PER_SPARE = 8;
    /** Above it context switches and stacks cost more than the threads bring; 250 a core were measured to do harm. */
    static final int MAX_THREADS_PER_CORE = 200;
    /** A CPU busier than this share queues noticeably. */
    static final double MAX_CPU_SHARE = 0.8;
    /** A socket for the client and one for what the request calls. */
    static final int FILES_PER_CONNECTION = 2;
    /** Default stack of a platform thread on 64-bit systems. */
    static final double STACK_MEGABYTES = 1;

    /**
     * One size.
     *
     * @param id a word for machines, for example {@code worker-threads}
     * @param what the same for readers
     * @param formula the arithmetic with its inputs
     * @param setting where to set it, for example {@code server.tomcat.threads.max}
     */
    public record Line(
            String id,
            String what,
            long value,
            String formula,
            @Nullable String setting) {}

    public Sizing {
        lines = List.copyOf(lines);
        warnings = List.copyOf(warnings);
    }

    /** Computes the sizes of one instance. */
    public static Sizing of(SizingInputs inputs) {
        Builder builder = new Builder(inputs);
        builder.threads();
        builder.connections();
        if (inputs.database() != null) {
            builder.database(inputs.database());
        }
        builder.cpu();
        return new Sizing(builder.lines, builder.warnings);
    }

    /** The size of that id. */
    public Line line(String id) {
        return lines.stream().filter(line -> line.id().equals(id)).findFirst().orElseThrow();
    }

    private static final class Builder {
        private final SizingInputs inputs;
        private final List<Line> lines = new ArrayList<>();
        private final List<String> warnings = new ArrayList<>();

        Builder(SizingInputs inputs) {
            this.inputs = inputs;
        }

        void threads() {
            double busy = inputs.ratePerInstance() * seconds(inputs.latency());
            long threads = ceil(busy * inputs.headroom());
            add(
                    "worker-threads",
                    "Worker threads",
                    threads,
                    String.format(
                            Locale.ROOT,
                            "%s/s x %s = %s busy at once (Little's law), x %s headroom",
                            number(inputs.ratePerInstance()),
                            time(inputs.latency()),
                            number(busy),
                            number(inputs.headroom())),
                    "server.tomcat.threads.max");
            add(
                    "spare-threads",
                    "Threads kept ready",
                    Math.min(threads, Math.max(DEFAULT_MIN_SPARE, threads / THREADS_PER_SPARE)),
                    String.format(
                            Locale.ROOT,
                            threads < DEFAULT_MIN_SPARE
                                    ? "all of them, as they are fewer than %2$d"
                                    : "threads / %d, at least %d",
                            THREADS_PER_SPARE,
                            DEFAULT_MIN_SPARE),
                    "server.tomcat.threads.min-spare");
            warnOfThreads(threads);
        }

        private void warnOfThreads(long threads) {
            long perCore = threads / inputs.cores();
            if (perCore > MAX_THREADS_PER_CORE) {
                warn(String.format(
                        Locale.ROOT,
                        "%,d threads are %,d a core, and take %,.0f MB of stacks at most: above %d a core context"
                                + " switches make p99 worse. Use virtual threads with a limit on requests in flight,"
                                + " shorten the latency, or spread the rate over %,d instances",
                        threads,
                        perCore,
                        threads * STACK_MEGABYTES,
                        MAX_THREADS_PER_CORE,
                        ceil(inputs.instances() * (double) threads / inputs.cores() / MAX_THREADS_PER_CORE)));
            }
        }

        void connections() {
            boolean slow = inputs.latency().compareTo(inputs.reuseInterval()) > 0;
            Duration interval = slow ? inputs.latency() : inputs.reuseInterval();
            double open = inputs.ratePerInstance() * seconds(interval);
            add(
                    "connections",
                    "Client connections",
                    ceil(open),
                    String.format(
                            Locale.ROOT,
                            "%s/s x %s between two requests of a connection%s",
                            number(inputs.ratePerInstance()),
                            time(interval),
                            slow ? ", which waits for its answer first" : ""),
                    null);
            long most = Math.max(DEFAULT_MAX_CONNECTIONS, ceil(open * inputs.headroom()));
            add(
                    "max-connections",
                    "Connections allowed",
                    most,
                    String.format(
                            Locale.ROOT,
                            "client connections x %s headroom, at least Tomcat's %d",
                            number(inputs.headroom()),
                            DEFAULT_MAX_CONNECTIONS),
                    "server.tomcat.max-connections");
            add(
                    "accept-count",
                    "Accept queue",
                    Math.max(DEFAULT_ACCEPT_COUNT, ceil(inputs.ratePerInstance() * BURST_SECONDS)),
                    String.format(
                            Locale.ROOT,
                            "%s/s x %s s of burst, at least %d; the system caps it at net.core.somaxconn",
                            number(inputs.ratePerInstance()),
                            number(BURST_SECONDS),
                            DEFAULT_ACCEPT_COUNT),
                    "server.tomcat.accept-count");
            add(
                    "open-files",
                    "Open files",
                    FILES_PER_CONNECTION * most,
                    String.format(Locale.ROOT, "%d x connections allowed", FILES_PER_CONNECTION),
                    "ulimit -n (LimitNOFILE)");
        }

        void database(SizingInputs.Database database) {
            double held = inputs.ratePerInstance() * seconds(database.hold());
            add(
                    "db-connections-busy",
                    "DB connections busy",
                    ceil(held),
                    String.format(
                            Locale.ROOT,
                            "N = X R: %s/s x %s held",
                            number(inputs.ratePerInstance()),
                            time(database.hold())),
                    null);
            long useful = database.cores() * 2L + database.spindles();
            if (database.replicas() == 0) {
                pool("db-pool", "DB pool", useful, 1, held, "spring.datasource.hikari.maximum-pool-size", database);
            } else {
                double reads = held * database.readShare();
                pool(
                        "db-write-pool",
                        "DB write pool",
                        useful,
                        1,
                        held - reads,
                        "maximum-pool-size (primary)",
                        database);
                pool(
                        "db-read-pool",
                        "DB read pool",
                        useful,
                        database.replicas(),
                        reads,
                        "maximum-pool-size (replicas, all together)",
                        database);
            }
        }

        /** A pool over servers that each do the most work with {@code useful} connections, shared by the instances. */
        private void pool(
                String id,
                String what,
                long useful,
                int servers,
                double held,
                String setting,
                SizingInputs.Database database) {
            long size = Math.max(1, useful * servers / inputs.instances());
            add(
                    id,
                    what,
                    size,
                    String.format(
                            Locale.ROOT,
                            "(%s x 2 + %s) x %s / %s; fixed size: minimum-idle the same",
                            plural(database.cores(), "core"),
                            plural(database.spindles(), "spindle"),
                            plural(servers, "server"),
                            plural(inputs.instances(), "instance")),
                    setting);
            if (held > size) {
                warn(String.format(
                        Locale.ROOT,
                        "%s: %s connections would be busy, but %d is all that the database works on well: requests"
                                + " will queue for one. Hold them for less long, cache, or add servers",
                        what,
                        number(held),
                        size));
            }
            long perServer = ceil((double) size * inputs.instances() / servers);
            if (perServer > database.maxConnections()) {
                warn(String.format(
                        Locale.ROOT,
                        "%s: %d instances together open %,d connections to a server that allows %,d: raise"
                                + " max_connections, or put a pooler such as PgBouncer between",
                        what,
                        inputs.instances(),
                        perServer,
                        database.maxConnections()));
            }
        }

        void cpu() {
            Duration perRequest = inputs.cpuPerRequest();
            if (perRequest == null) {
                return;
            }
            double busy = inputs.ratePerInstance() * seconds(perRequest);
            add(
                    "busy-cores",
                    "Cores busy",
                    ceil(busy),
                    String.format(
                            Locale.ROOT,
                            "%s/s x %s of CPU = %s of %d cores",
                            number(inputs.ratePerInstance()),
                            time(perRequest),
                            number(busy),
                            inputs.cores()),
                    null);
            if (busy > MAX_CPU_SHARE * inputs.cores()) {
                warn(String.format(
                        Locale.ROOT,
                        "the CPU cannot carry it: %s of %d cores would be busy, and above %.0f %% requests queue for"
                                + " them; no pool size helps. Spend less CPU a request, or use %,d instances",
                        number(busy),
                        inputs.cores(),
                        MAX_CPU_SHARE * 100,
                        ceil(inputs.ratePerSecond() * seconds(perRequest) / (MAX_CPU_SHARE * inputs.cores()))));
            }
        }

        private void add(String id, String what, long value, String formula, @Nullable String setting) {
            lines.add(new Line(id, what, value, formula, setting));
        }

        private void warn(String sentence) {
            warnings.add(sentence);
        }

        private static String plural(long count, String noun) {
            return count + " " + noun + (count == 1 ? "" : "s");
        }

        private static double seconds(Duration duration) {
            return duration.toNanos() / 1e9;
        }

        /** Rounded up, save for what is only the error of binary fractions. */
        private static long ceil(double value) {
            return (long) Math.ceil(value - 1e-9 * value);
        }
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%,.3f", value).replaceFirst("\\.?0+$", "");
    }

    /** For example {@code 50 ms} or {@code 20 s}. */
    static String time(Duration duration) {
        double millis = duration.toNanos() / 1e6;
        return millis < 1
                ? number(millis * 1_000) + " us"
                : millis < 1_000 ? number(millis) + " ms" : number(millis / 1_000) + " s";
    }
}
