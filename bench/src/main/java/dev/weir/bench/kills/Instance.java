package dev.weir.bench.kills;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One instance of the service, as a process that is killed and started again with the same folder. Used by one thread at a time. */
final class Instance implements AutoCloseable {
    private static final long FINISH_SECONDS = 300;
    private static final Pattern NEEDED =
            Pattern.compile("/(weir-|kafka-clients-|HikariCP-|postgresql-|slf4j-api-)[^/]*$");

    private final Scene scene;
    private final int number;
    private final Path folder;
    private @Nullable Process process;
    private @Nullable BufferedReader says;

    Instance(Scene scene, int number, Path folder) {
        this.scene = scene;
        this.number = number;
        this.folder = folder;
    }

    void start() throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx160m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                // Without a logging library: reports of servers that are away would fill the pipe that "ready" comes
                // through.
                "-Dslf4j.internal.verbosity=ERROR",
                "-cp",
                classPath(),
                ServiceMain.class.getName()));
        command.addAll(scene.words());
        command.add(Integer.toString(number));
        command.add(folder.toString());
        Process started = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        process = started;
        says = started.inputReader(StandardCharsets.UTF_8);
    }

    /** What the service needs of this process's class path: it starts often, and opening all jars takes as long as the rest. */
    private static String classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry ->
                        !entry.endsWith(".jar") || NEEDED.matcher(entry).find())
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Returns when it writes events. */
    void awaitReady() throws IOException {
        String line = Objects.requireNonNull(says).readLine();
        if (!"ready".equals(line)) {
            throw new IllegalStateException("Instance " + number + " ended before it was ready; see its error above.");
        }
    }

    /** As kill -9 does; returns when it is gone. */
    void kill() throws InterruptedException {
        running().toHandle().destroyForcibly();
        int code = running().waitFor();
        if (code == 0 || code == 1) {
            throw new IllegalStateException("Instance " + number + " ended by itself with " + code + ".");
        }
    }

    boolean isRunning() {
        Process last = process;
        return last != null && last.isAlive();
    }

    /** Whether it has ended by itself, with all delivered that it had. */
    boolean hasFinished() {
        Process last = process;
        return last != null && !last.isAlive() && last.exitValue() == 0;
    }

    /** Tells it to write no more, to deliver all that it has, and to end. */
    void requestFinish() throws IOException {
        Writer orders = running().outputWriter(StandardCharsets.UTF_8);
        orders.write("finish\n");
        orders.flush();
    }

    /** Waits for its end after that. */
    void awaitFinish() throws InterruptedException {
        if (!running().waitFor(FINISH_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException(
                    "Instance " + number + " could not deliver all within " + FINISH_SECONDS + " s.");
        }
        if (running().exitValue() != 0) {
            throw new IllegalStateException(
                    "Instance " + number + " ended with " + running().exitValue() + ".");
        }
    }

    private Process running() {
        return Objects.requireNonNull(process);
    }

    @Override
    public void close() {
        Process last = process;
        if (last != null) {
            last.destroyForcibly();
        }
    }
}
