package dev.weir.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Data folders of PostgreSQL.
 *
 * <p>Running initdb takes over a second, so it is done once into a template: a database cluster that was shut down cleanly, with
 * the user and database {@code weir}, without {@code postgres} and {@code template0}. Every server of every run starts from a copy. A copy of a cleanly shut down cluster is at
 * the same time a valid base backup of its twin: both end at the same checkpoint of the same timeline, so a copy with
 * {@code standby.signal} streams from the other as soon as that one is up, and no backup has to be taken from a running server.
 */
final class PostgresFiles {
    static final String USER = "weir";
    static final String DATABASE = "weir";

    /** One statement a line. Fewer databases are fewer files to copy: 300 each. */
    private static final String TEMPLATE_SQL = """
            ALTER DATABASE postgres RENAME TO %s
            UPDATE pg_database SET datistemplate = false WHERE datname = 'template0'
            DROP DATABASE template0
            """.formatted(DATABASE);

    /**
     * A standby refuses to start with less than the control file of its copy asks for, so the template asks for next to nothing and
     * any setting of a run is enough.
     */
    private static final List<String> LEAST_SETTINGS = List.of(
            "-c", "max_connections=2",
            "-c", "max_worker_processes=0",
            "-c", "max_wal_senders=0",
            "-c", "max_prepared_transactions=0",
            "-c", "max_locks_per_transaction=10");

    private static final String LAYOUT = "3";
    private static final Duration TOOL_TIME = Duration.ofSeconds(60);
    private static final Duration TOOL_GRACE = Duration.ofSeconds(2);
    private static final long MIN_SHARED_MEMORY_BYTES = 16L * 1024 * 1024;
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    private final Path programs;
    private final Path template;
    private final StackProgress progress;

    PostgresFiles(Path programs, CacheFolder cache, String version, Platform platform, StackProgress progress) {
        this.programs = programs;
        this.template = cache.templates().resolve("postgres-%s-%s-%s".formatted(version, platform.name(), LAYOUT));
        this.progress = progress;
    }

    /** The start of a command that runs a program of PostgreSQL: as root in a user namespace, as PostgreSQL refuses root. */
    List<String> command(String program) {
        String path = programs.resolve("bin").resolve(program).toString();
        return isRoot() ? List.of("unshare", "-U", path) : List.of(path);
    }

    private boolean isRoot() {
        try {
            return Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
        } catch (IOException | UnsupportedOperationException noProc) {
            return "root".equals(System.getProperty("user.name"));
        }
    }

    /** Makes the template where there is none yet. */
    void prepareTemplate(Path workFolder) throws IOException {
        if (Files.isDirectory(template)) {
            return;
        }
        progress.step("Creating a fresh PostgreSQL database (only the first time)");
        Path fresh = Files.createTempDirectory(template.getParent(), Runs.UNFINISHED);
        Path password = Files.createFile(
                fresh.resolve("password"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(password, newPassword());
        initialise(fresh.resolve("data"), password, workFolder);
        FileTree.publish(fresh, template);
    }

    private void initialise(Path data, Path password, Path workFolder) throws IOException {
        List<String> initdb = new ArrayList<>(command("initdb"));
        initdb.addAll(List.of("-D", data.toString(), "-U", USER, "--pwfile=" + password, "--auth=scram-sha-256"));
        initdb.addAll(
                List.of("--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"));
        initdb.add("--no-sync");
        run(initdb, "initdb", data, workFolder);

        Path statements = Files.writeString(workFolder.resolve("template.sql"), TEMPLATE_SQL);
        List<String> create = new ArrayList<>(
                List.of("/bin/sh", "-c", "in=$1; shift; exec \"$@\" <\"$in\"", "sh", statements.toString()));
        create.addAll(command("postgres"));
        create.addAll(List.of("--single", "-D", data.toString()));
        create.addAll(LEAST_SETTINGS);
        create.add("template1");
        run(create, "postgres", data, workFolder);
    }

    private static void run(List<String> command, String program, Path data, Path workFolder) throws IOException {
        Path log = workFolder.resolve(program + "-template.log");
        ServerSpec spec = new ServerSpec(
                program,
                "PostgreSQL's " + program,
                0,
                "",
                command,
                program,
                data,
                log,
                "TERM",
                TOOL_GRACE,
                pid -> false);
        Guard tool = Guard.launch(command, program, log, spec.stopSignal(), spec.stopGrace());
        try {
            if (!tool.awaitExit(TOOL_TIME)) {
                throw new ServerStartException(ServerFailure.of(
                        spec, "took longer than " + TOOL_TIME.toSeconds() + " s", Server.logTail(log)));
            }
            if (tool.exitCode() != 0) {
                throw new ServerStartException(
                        ServerFailure.of(spec, "failed with exit code " + tool.exitCode(), Server.logTail(log)));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StackException("The creation of a fresh PostgreSQL database was interrupted.", e);
        } finally {
            tool.stop();
        }
    }

    private static String newPassword() {
        byte[] bytes = new byte[12];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    String password() throws IOException {
        return Files.readString(template.resolve("password")).strip();
    }

    /** A data folder for a primary. */
    void createPrimary(Path data, int port, Map<String, String> settings) throws IOException {
        FileTree.copy(template.resolve("data"), data);
        Files.writeString(data.resolve("postgresql.conf"), configuration(port, settings));
    }

    /** A data folder for a standby of the primary on {@code primaryPort}. */
    void createStandby(Path data, int port, int primaryPort, Map<String, String> settings) throws IOException {
        createPrimary(data, port, settings);
        String connection = "primary_conninfo = 'host=127.0.0.1 port=%d user=%s password=%s application_name=%s'%n"
                .formatted(primaryPort, USER, password(), data.getFileName());
        Files.writeString(data.resolve("postgresql.auto.conf"), connection);
        Files.createFile(data.resolve("standby.signal"));
    }

    private String configuration(int port, Map<String, String> settings) {
        boolean roomy = hasSharedMemory();
        if (!roomy) {
            progress.step("/dev/shm has less than 16 MB free: PostgreSQL uses files instead");
        }
        return configuration(port, settings, roomy);
    }

    static String configuration(int port, Map<String, String> settings, boolean sharedMemory) {
        Map<String, String> all = new TreeMap<>();
        all.put("listen_addresses", "127.0.0.1");
        all.put("port", Integer.toString(port));
        all.put("unix_socket_directories", "");
        all.put("fsync", "on");
        all.put("synchronous_commit", "on");
        all.put("full_page_writes", "on");
        all.put("wal_level", "replica");
        all.put("hot_standby", "on");
        all.put("max_wal_senders", "10");
        all.put("wal_keep_size", "512MB");
        all.put("wal_retrieve_retry_interval", "100ms");
        all.put("wal_receiver_status_interval", "1s");
        all.put("max_connections", "200");
        all.put("shared_buffers", "128MB");
        all.put("dynamic_shared_memory_type", sharedMemory ? "posix" : "mmap");
        all.put("timezone", "UTC");
        all.put("log_timezone", "UTC");
        all.put("lc_messages", "C");
        all.put("datestyle", "iso, mdy");
        all.put("default_text_search_config", "pg_catalog.english");
        all.putAll(settings);
        StringBuilder text = new StringBuilder();
        all.forEach((name, value) -> text.append(name)
                .append(" = '")
                .append(value.replace("'", "''"))
                .append("'\n"));
        return text.toString();
    }

    private static boolean hasSharedMemory() {
        if (!System.getProperty("os.name", "").equals("Linux")) {
            return true;
        }
        try {
            return Files.isWritable(SHARED_MEMORY)
                    && Files.getFileStore(SHARED_MEMORY).getUsableSpace() >= MIN_SHARED_MEMORY_BYTES;
        } catch (IOException none) {
            return false;
        }
    }

    /**
     * Whether the server with this process number takes connections: PostgreSQL says so itself in the eighth line of
     * postmaster.pid, which is what pg_ctl reads too.
     */
    static boolean isReady(Path data, long pid) {
        try {
            List<String> lines = Files.readAllLines(data.resolve("postmaster.pid"));
            return lines.size() >= 8
                    && lines.getFirst().strip().equals(Long.toString(pid))
                    && lines.get(7).strip().equals("ready");
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Whether a standby has told in its log that it receives from the primary. */
    static boolean isStreaming(Path log) {
        return Server.logTail(log).contains("started streaming WAL");
    }
}
