package dev.weir.store.start;

import dev.weir.store.Http;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A main class of the store as a process, started the way another process starts it; killed when closed. */
public record Child(Process process, Path log, Path portFile) implements AutoCloseable {

    private static final Duration DEADLINE = Duration.ofMinutes(3);

    public static Child start(Path folder, String mainClass, String portArgument, String... args) throws IOException {
        Path log = Files.createTempFile(folder, "child", ".log");
        Path portFile = folder.resolve(log.getFileName() + ".port");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-cp",
                "target/classes:" + Files.readString(Path.of("target", "store.classpath")),
                mainClass,
                portArgument + "=" + portFile));
        command.addAll(List.of(args));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new Child(process, log, portFile);
    }

    /** Waits until it has written its port. */
    public Http http() throws IOException {
        await(() -> Files.exists(portFile) || !process.isAlive());
        if (!process.isAlive()) {
            throw new IllegalStateException("The child ended before it was ready: " + output());
        }
        return new Http(Integer.parseInt(Files.readString(portFile)));
    }

    public int exitCode() throws InterruptedException, IOException {
        if (!process.waitFor(DEADLINE.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("The child does not end: " + output());
        }
        return process.exitValue();
    }

    public String output() throws IOException {
        return Files.readString(log);
    }

    public static void await(BooleanSupplier condition) {
        long endNanos = System.nanoTime() + DEADLINE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - endNanos > 0) {
                throw new IllegalStateException("Not so after " + DEADLINE.toSeconds() + " s");
            }
            LockSupport.parkNanos(20_000_000);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
