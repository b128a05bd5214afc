package dev.weir.stack;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Real servers as child processes: PostgreSQL with its standbys, and Redis and Kafka where asked for.
 *
 * <p>All servers listen on 127.0.0.1 alone. They stop with {@link #close}, at the end of the JVM, and when the JVM is killed (see
 * {@link Guard}); their data goes with them. A stack may be used from any thread.
 */
public final class Stack implements AutoCloseable {
    private final RunFile.Origin origin;
    private final String id;
    private final Path folder;
    private String password = "";
    private final List<Server> servers = new ArrayList<>();
    private final Thread hook = new Thread(this::stopServers, "weir-stack-stop");
    private RunFile.State state = RunFile.State.STARTING;
    private boolean closed;
    private @Nullable Postgres postgres;
    private @Nullable Redis redis;
    private @Nullable Kafka kafka;

    Stack(Runs runs, RunFile.Origin origin) throws IOException {
        this.origin = origin;
        this.id = newId();
        this.folder = runs.create(runFile());
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /**
     * Starts the servers and waits until all take connections; also clears what dead runs left behind. The first start of a
     * version unpacks binaries and makes a fresh database, which takes some seconds more.
     *
     * @throws StackException with one sentence when anything is in the way; nothing is left running then
     */
    public static Stack start(StackConfig config, StackProgress progress) {
        return start(config, progress, RunFile.Origin.JAVA);
    }

    static Stack start(StackConfig config, StackProgress progress, RunFile.Origin origin) {
        Path chosen = config.cacheFolder();
        CacheFolder cache = chosen == null
                ? CacheFolder.usual()
                : new CacheFolder(chosen.toAbsolutePath().normalize());
        return new StackStart(config, cache, new Runs(cache, InstantSource.system()), progress, origin).start();
    }

    private static String newId() {
        return "run-%d-%06x".formatted(ProcessHandle.current().pid(), new SecureRandom().nextInt(1 << 24));
    }

    /** Name of this run and of its folder. */
    public String id() {
        return id;
    }

    /** Where data and logs of this run lie; removed by {@link #close}. */
    public Path folder() {
        return folder;
    }

    /** PostgreSQL, which every stack has. */
    public Postgres postgres() {
        return require(postgres, "PostgreSQL", "is not up yet");
    }

    /** Redis; IllegalStateException when the stack was started without it. */
    public Redis redis() {
        return require(redis, "Redis", "was not asked for");
    }

    /** Kafka; IllegalStateException when the stack was started without it. */
    public Kafka kafka() {
        return require(kafka, "Kafka", "was not asked for");
    }

    private static <T> T require(@Nullable T server, String label, String reason) {
        if (server == null) {
            throw new IllegalStateException(label + " " + reason + " in this stack.");
        }
        return server;
    }

    /** All servers, in the order they were started in. */
    public synchronized List<Server> servers() {
        return List.copyOf(servers);
    }

    /** A sentence about a server that ended without being asked to, if there is one. */
    public Optional<String> failure() {
        return servers().stream()
                .filter(Server::endedByItself)
                .findFirst()
                .map(server -> server.failure("ended by itself").sentence());
    }

    /** Stops all servers at once, waits for their end and removes their data, within 20 seconds. Does nothing the second time. */
    @Override
    public void close() {
        stopServers();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException shuttingDown) {
            // The hook runs already and does the same.
        }
    }

    synchronized void stopServers() {
        if (closed) {
            return;
        }
        closed = true;
        servers.forEach(Server::requestStop);
        servers.forEach(Server::stop);
        try {
            FileTree.delete(folder);
        } catch (IOException e) {
            throw new StackException(
                    "The folder %s cannot be removed; the next start tries again.".formatted(folder), e);
        }
    }

    synchronized Server launch(ServerSpec spec) {
        if (closed) {
            throw new StackException("The stack was closed while it was starting.");
        }
        Server server = Server.launch(spec, this::record);
        servers.add(server);
        record();
        return server;
    }

    synchronized void ready(Postgres readyPostgres, @Nullable Redis readyRedis, @Nullable Kafka readyKafka) {
        postgres = readyPostgres;
        redis = readyRedis;
        kafka = readyKafka;
        state = RunFile.State.READY;
        record();
    }

    /** Writes the run file anew; called after every change of what runs. */
    private synchronized void record() {
        try {
            runFile().write(folder);
        } catch (IOException e) {
            throw new StackException("The run file in %s cannot be written (%s).".formatted(folder, e.getMessage()), e);
        }
    }

    synchronized RunFile runFile() {
        List<RunFile.Entry> entries = servers.stream()
                .map(server -> new RunFile.Entry(server.name(), server.port(), server.process()))
                .toList();
        return new RunFile(id, origin, ProcessId.of(ProcessHandle.current()), state, entries, password);
    }

    synchronized void password(String ofPostgres) {
        password = ofPostgres;
    }
}
