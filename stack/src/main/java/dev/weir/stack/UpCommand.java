package dev.weir.stack;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir stack up}: starts the servers and stays until it is stopped, or leaves them to a process in the background. */
@Command(
        name = "up",
        mixinStandardHelpOptions = true,
        description = "Start the servers and stay until Ctrl-C; with --detach keep them running in the background.")
final class UpCommand implements Callable<Integer> {
    private static final long LOOK_MILLIS = 500;

    @Option(
            names = "--standbys",
            paramLabel = "N",
            defaultValue = "1",
            description = "Streaming standbys of PostgreSQL, 0 to 4 (default: 1).")
    private int standbys;

    @Option(names = "--kafka", description = "Start Kafka as well.")
    private boolean kafka;

    @Option(names = "--no-redis", description = "Start no Redis.")
    private boolean noRedis;

    @Option(names = "--port-postgres", paramLabel = "PORT", description = "Port of the primary (default: a free one).")
    private int portPostgres;

    @Option(
            names = "--port-standby",
            paramLabel = "PORT",
            description = "Port of the first standby; the others take the next ones (default: free ones).")
    private int portStandby;

    @Option(names = "--port-redis", paramLabel = "PORT", description = "Port of Redis (default: a free one).")
    private int portRedis;

    @Option(names = "--port-kafka", paramLabel = "PORT", description = "Port of Kafka (default: a free one).")
    private int portKafka;

    @Option(
            names = "--postgres-setting",
            paramLabel = "NAME=VALUE",
            description = "A setting for the primary and all standbys, such as max_connections=300; may be repeated.")
    private Map<String, String> settings = new LinkedHashMap<>();

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "How long the servers may take to start (default: 60).")
    private long timeoutSeconds;

    @Option(
            names = {"-d", "--detach"},
            description = "Keep the servers running in the background: see weir stack status and down.")
    private boolean detach;

    @Option(names = "--json", description = "Print the addresses as JSON.")
    private boolean json;

    @Mixin
    private CacheOption cache = new CacheOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        StackConfig config = config();
        try {
            return detach ? startDetached(config) : startHere(config);
        } catch (StackException e) {
            err().println(e.getMessage());
            return e.exitCode();
        }
    }

    private StackConfig config() {
        try {
            return new StackConfig(
                    standbys,
                    !noRedis,
                    kafka,
                    new PortPlan(portPostgres, portStandby, portRedis, portKafka),
                    settings,
                    Map.of(),
                    cache.cache().root(),
                    Duration.ofSeconds(timeoutSeconds));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private int startDetached(StackConfig config) {
        print(new DetachedStart(config, cache.cache(), this::progress).start());
        return StackCommand.OK;
    }

    private int startHere(StackConfig config) {
        try (Stack stack = Stack.start(config, this::progress, RunFile.Origin.COMMAND)) {
            print(stack.runFile());
            progress("All servers run; Ctrl-C stops them");
            return stay(stack);
        }
    }

    private int stay(Stack stack) {
        CountDownLatch never = new CountDownLatch(1);
        try {
            while (!never.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                Optional<String> failure = stack.failure();
                if (failure.isPresent()) {
                    err().println(failure.get());
                    return StackCommand.FAILED;
                }
            }
            return StackCommand.OK;
        } catch (InterruptedException e) {
            return StackCommand.INTERRUPTED;
        }
    }

    private void print(RunFile run) {
        PrintWriter out = spec.commandLine().getOut();
        out.print(json ? StackReport.json(run, cache.cache()) + "\n" : StackReport.text(run));
        out.flush();
    }

    private void progress(String sentence) {
        err().println(sentence);
        err().flush();
    }

    private PrintWriter err() {
        return spec.commandLine().getErr();
    }
}
