package dev.weir.lab.cli;

import dev.weir.lab.compare.Generators;
import dev.weir.lab.engine.EngineConfig;
import dev.weir.lab.engine.Generator;
import dev.weir.lab.engine.LoadEngine;
import dev.weir.lab.engine.Tls;
import dev.weir.lab.load.FirstContact;
import dev.weir.lab.plan.BodyFile;
import dev.weir.lab.plan.Header;
import dev.weir.lab.plan.RequestPlan;
import dev.weir.lab.plan.Target;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say what is sent to both sides, and how many connections carry it. */
final class CompareRequests {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            description = "Request file (YAML): a weighted mix of requests.")
    private @Nullable Path file;

    @Option(
            names = {"-H", "--header"},
            paramLabel = "'NAME: VALUE'",
            description = "Header of every request; may be given several times.")
    private List<String> headers = new ArrayList<>();

    @Option(
            names = {"-m", "--method"},
            paramLabel = "METHOD",
            description = "HTTP method. Default: GET, or POST with a body.")
    private @Nullable String method;

    @Option(
            names = "--body",
            paramLabel = "TEXT",
            description = "Body of the request, or @FILE for the content of a file.")
    private @Nullable String body;

    @Option(names = "--insecure", description = "Do not verify the services' certificates.")
    private boolean insecure;

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
        List<Header> parsed = headers.stream().map(Header::parse).toList();
        return url -> open(plan(url, parsed), seed);
    }

    /** Checks the requests before anything is started; throws what is wrong with them. */
    void check(String url) {
        plan(url, headers.stream().map(Header::parse).toList());
    }

    private RequestPlan plan(String url, List<Header> parsed) {
        if (file != null && (method != null || body != null)) {
            throw new UserException(
                    ExitCode.USAGE,
                    "-m and --body do not go with -f: methods and bodies are those of the request file");
        }
        if (file != null) {
            return RequestPlan.read(file, url, parsed);
        }
        byte[] content = content();
        String chosen = method != null ? method : content == null ? "GET" : "POST";
        return RequestPlan.single(Target.parse(url), chosen, parsed, content);
    }

    private byte @Nullable [] content() {
        if (body == null) {
            return null;
        }
        return body.startsWith("@") ? BodyFile.read(Path.of(body.substring(1))) : body.getBytes(StandardCharsets.UTF_8);
    }

    private Generator open(RequestPlan plan, long seed) {
        Target target = plan.target();
        Tls tls = !target.tls() ? null : insecure ? Tls.insecure(target.host()) : Tls.verified(target.host());
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
