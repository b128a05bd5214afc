package dev.weir.bench.kills;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One instance of the service, as a process that is killed and started again with the same folder. Used by one thread at a time. */
final class Instance implements AutoCloseable {
    private static final long FINISH_SECONDS = 300;

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
                // Reports of servers that are away would fill the pipe that "ready" comes through.
                "-Dlogback.configurationFile=silent-logback.xml",
                "-cp",
                System.getProperty("java.class.path"),
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
