package dev.weir.lab.cli;

import dev.weir.lab.compare.Generators;
import dev.weir.lab.engine.EngineConfig;
import dev.weir.lab.engine.Generator;
import dev.weir.lab.engine.LoadEngine;
import dev.weir.lab.engine.Tls;
import dev.weir.lab.load.FirstContact;
import dev.weir.lab.plan.RequestPlan;
import dev.weir.lab.plan.Target;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that say what is sent to both sides, and how many connections carry it. */
final class CompareRequests {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    @Mixin
    private RequestOptions requests = new RequestOptions();

    @Option(
            names = {"-c", "--connections"},
            paramLabel = "N",
            converter = Amount.Count.class,
            defaultValue = "64",
            description = "Connections to each side. Default: 64.")
    private long connections;

    @Option(
            names = {"-t", "--threads"},
            paramLabel = "N",
            converter = Amount.Count.class,
            defaultValue = "1",
            description = "Threads of the generator. Default: 1, which leaves the CPUs to the service.")
    private long threads;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            converter = Amount.Time.class,
            description = "How long an answer may take before it counts as failed. Default: 10s.")
    private Duration timeout = Duration.ofSeconds(10);

    /**
     * Generators for either side.
     *
     * @param seed of random choices among and in the requests, the same for both sides
     */
    Generators generators(long seed) {
        if (threads > connections || connections > 1_000_000) {
            throw new UserException(
                    ExitCode.USAGE,
                    "-c " + connections + " and -t " + threads
                            + ": each thread needs a connection, and a million are enough");
        }
        return url -> open(requests.plan(url), seed);
    }

    /** Checks the requests before anything is started; throws what is wrong with them. */
    void check(String url) {
        requests.tls(requests.plan(url).target());
    }

    private Generator open(RequestPlan plan, long seed) {
        Target target = plan.target();
        Tls tls = requests.tls(target);
        InetSocketAddress address = FirstContact.make(target, tls, CONNECT_TIMEOUT);
        try {
            return new LoadEngine(EngineConfig.of(address, (int) connections, plan.sources(seed))
                    .withTls(tls)
                    .withThreads((int) threads)
                    .withTimeouts(CONNECT_TIMEOUT, timeout, timeout));
        } catch (IOException e) {
            throw new UserException(
                    ExitCode.ENVIRONMENT,
                    "the system gives no selector (" + e.getMessage() + "): raise the limit of open files (ulimit -n)",
                    e);
        }
    }
}
