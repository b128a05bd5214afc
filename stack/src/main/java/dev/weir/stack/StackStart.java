package dev.weir.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The start of one stack, step by step. Servers are launched one after the other without waiting, the slowest first, and become
 * ready side by side; data folders are copied meanwhile. When a port that was free gets taken before its server listens, the
 * whole start is repeated with other ports.
 */
final class StackStart {
    private static final int ATTEMPTS = 3;
    private static final long BASE_BYTES = 300L << 20;
    private static final long STANDBY_BYTES = 100L << 20;
    private static final long KAFKA_BYTES = 200L << 20;
    private static final Duration SERVER_GRACE = Duration.ofSeconds(3);
    private static final Duration KAFKA_GRACE = Duration.ofSeconds(8);

    private final StackConfig config;
    private final CacheFolder cache;
    private final Runs runs;
    private final StackProgress progress;
    private final RunFile.Origin origin;

    StackStart(StackConfig config, CacheFolder cache, Runs runs, StackProgress progress, RunFile.Origin origin) {
        this.config = config;
        this.cache = cache;
        this.runs = runs;
        this.progress = progress;
        this.origin = origin;
    }

    Stack start() {
        Platform platform = Platform.current();
        cache.create();
        runs.clearLeftovers(progress);
        cache.requireFreeSpace(neededBytes());
        Binaries binaries = new Binaries(cache, platform, progress);
        for (int attempt = 1; ; attempt++) {
            try {
                return attempt(binaries, platform);
            } catch (ServerStartException e) {
                if (e.kind() != ServerFailure.Kind.PORT_TAKEN || attempt == ATTEMPTS) {
                    throw e;
                }
                progress.step("A port was taken meanwhile; trying others");
            }
        }
    }

    private long neededBytes() {
        return BASE_BYTES + config.standbys() * STANDBY_BYTES + (config.kafka() ? KAFKA_BYTES : 0);
    }

    private Stack attempt(Binaries binaries, Platform platform) {
        Chosen ports = choosePorts();
        Stack stack = null;
        try {
            stack = new Stack(runs, origin);
            launchAll(stack, binaries, platform, ports);
            return stack;
        } catch (IOException e) {
            closeAfter(stack, e);
            throw new StackException(
                    "The servers' files cannot be written below %s: %s.".formatted(cache.root(), e.getMessage()), e);
        } catch (RuntimeException | Error e) {
            closeAfter(stack, e);
            throw e;
        }
    }

    private static void closeAfter(@Nullable Stack stack, Throwable cause) {
        if (stack == null) {
            return;
        }
        try {
            stack.close();
        } catch (StackException e) {
            cause.addSuppressed(e);
        }
    }

    private record Chosen(int primary, List<Integer> standbys, int redis, int kafka, int controller) {}

    private Chosen choosePorts() {
        Ports ports = new Ports(new SecureRandom(), Ports::isFreeHere);
        PortPlan plan = config.ports();
        int primary = ports.choose("PostgreSQL", plan.postgres(), "--port-postgres");
        List<Integer> standbys = new ArrayList<>();
        for (int i = 0; i < config.standbys(); i++) {
            standbys.add(ports.choose(standbyLabel(i), plan.standby(i), "--port-standby"));
        }
        int redis = config.redis() ? ports.choose("Redis", plan.redis(), "--port-redis") : 0;
        int kafka = config.kafka() ? ports.choose("Kafka", plan.kafka(), "--port-kafka") : 0;
        int controller = config.kafka() ? ports.choose("Kafka", 0, "--port-kafka") : 0;
        return new Chosen(primary, standbys, redis, kafka, controller);
    }

    private void launchAll(Stack stack, Binaries binaries, Platform platform, Chosen ports) throws IOException {
        long deadlineNanos = System.nanoTime() + config.startTimeout().toNanos();
        Server kafka = config.kafka() ? launchKafka(stack, binaries, ports) : null;
        Server redis = config.redis() ? launchRedis(stack, binaries, ports.redis()) : null;
        Postgres postgres = launchPostgres(stack, binaries, platform, ports);
        progress.step("Waiting until all servers take connections");
        for (Server server : stack.servers()) {
            server.awaitReady(deadlineNanos, config.startTimeout());
        }
        stack.ready(postgres, redis == null ? null : new Redis(redis), kafka == null ? null : new Kafka(kafka));
    }

    private Server launchKafka(Stack stack, Binaries binaries, Chosen ports) throws IOException {
        KafkaFiles files = new KafkaFiles(cache, binaries.version("kafka"), progress);
        files.prepareTemplate(stack.folder());
        progress.step("Starting Kafka");
        Path data = stack.folder().resolve("kafka");
        Path log = stack.folder().resolve("kafka.log");
        List<String> command =
                files.command(files.create(data, ports.kafka(), ports.controller(), config.kafkaSettings()));
        return stack.launch(new ServerSpec(
                "kafka",
                "Kafka",
                ports.kafka(),
                "--port-kafka",
                command,
                "java",
                data,
                log,
                "TERM",
                KAFKA_GRACE,
                pid -> KafkaFiles.isReady(log)));
    }

    private Server launchRedis(Stack stack, Binaries binaries, int port) throws IOException {
        Path executable = binaries.redis();
        progress.step("Starting Redis");
        Path data = Files.createDirectory(stack.folder().resolve("redis"));
        Path log = stack.folder().resolve("redis.log");
        return stack.launch(new ServerSpec(
                "redis",
                "Redis",
                port,
                "--port-redis",
                Redis.command(executable, data, port),
                "redis-server",
                data,
                log,
                "TERM",
                SERVER_GRACE,
                pid -> Redis.answers(port)));
    }

    private Postgres launchPostgres(Stack stack, Binaries binaries, Platform platform, Chosen ports)
            throws IOException {
        PostgresFiles files =
                new PostgresFiles(binaries.postgres(), cache, binaries.version("postgres"), platform, progress);
        files.prepareTemplate(stack.folder());
        stack.password(files.password());
        progress.step("Starting PostgreSQL" + (config.standbys() == 0 ? "" : " and " + counted(config.standbys())));
        Path data = stack.folder().resolve("primary");
        files.createPrimary(data, ports.primary(), config.postgresSettings());
        Server primary = stack.launch(
                postgresSpec(files, data, "PostgreSQL (primary)", ports.primary(), "--port-postgres", false));
        List<Server> standbys = new ArrayList<>();
        for (int i = 0; i < config.standbys(); i++) {
            Path copy = stack.folder().resolve("standby-" + (i + 1));
            int port = ports.standbys().get(i);
            files.createStandby(copy, port, ports.primary(), config.postgresSettings());
            standbys.add(stack.launch(postgresSpec(files, copy, standbyLabel(i), port, "--port-standby", true)));
        }
        return new Postgres(primary, standbys, files.password());
    }

    private static String counted(int standbys) {
        return standbys == 1 ? "1 standby" : standbys + " standbys";
    }

    private static String standbyLabel(int index) {
        return "PostgreSQL (standby %d)".formatted(index + 1);
    }

    private static ServerSpec postgresSpec(
            PostgresFiles files, Path data, String label, int port, String option, boolean standby) {
        String name = data.getFileName().toString();
        Path log = data.resolveSibling(name + ".log");
        List<String> command = new ArrayList<>(files.command("postgres"));
        command.addAll(List.of("-D", data.toString()));
        return new ServerSpec(
                name,
                label,
                port,
                option,
                command,
                "postgres",
                data,
                log,
                "QUIT",
                SERVER_GRACE,
                pid -> PostgresFiles.isReady(data, pid) && (!standby || PostgresFiles.isStreaming(log)));
    }
}
