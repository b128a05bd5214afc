package dev.weir.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Signals to a {@code weir load} in a process of its own. */
class LoadInterruptIT {
    private static final int SIGINT = 2;

    private final CountDownLatch asked = new CountDownLatch(20);
    private final CountDownLatch release = new CountDownLatch(1);
    private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();

    @TempDir
    private Path folder;

    private HttpServer server = create();

    private static HttpServer create() {
        try {
            return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void serve() {
        server.setExecutor(workers);
        server.createContext("/", exchange -> {
            asked.countDown();
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.createContext("/stuck", exchange -> {
            asked.countDown();
            try {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        release.countDown();
        server.stop(0);
        workers.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"INT", "TERM"})
    void aSignalEndsTheRunAndPrintsWhatWasMeasured(String signal) throws Exception {
        assumeFalse(signal.equals("INT") && isIgnored(), "this process ignores SIGINT, and its children with it");
        Path out = folder.resolve("out.txt");
        Path json = folder.resolve("result.json");
        Process load = start(out, "/", "--timeout", "60s", "--json", json.toString());
        try {
            assertThat(asked.await(60, TimeUnit.SECONDS)).isTrue();

            send(signal, load);

            assertThat(load.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(load.exitValue()).isEqualTo(ExitCode.INTERRUPTED);
            assertThat(out)
                    .content()
                    .contains("no errors, ended early.", "Latency", "Requests/sec:")
                    .doesNotContain("unfinished");
            assertThat(json).content().contains("\"interrupted\" : true");
        } finally {
            load.destroyForcibly();
        }
    }

    @Test
    void aSecondSignalEndsItAtOnce() throws Exception {
        Path out = folder.resolve("out.txt");
        Process load = start(out, "/stuck", "--timeout", "10m");
        try {
            assertThat(asked.await(60, TimeUnit.SECONDS)).isTrue();

            // The first makes the run wait for answers that never come; how soon it is taken cannot be seen from here.
            while (load.isAlive()) {
                send("TERM", load);
                load.waitFor(100, TimeUnit.MILLISECONDS);
            }

            assertThat(load.exitValue()).isNotZero();
        } finally {
            load.destroyForcibly();
        }
    }

    private Process start(Path out, String path, String... more) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "load",
                "http://127.0.0.1:" + server.getAddress().getPort() + path,
                "-R",
                "200",
                "-c",
                "40",
                "-d",
                "10m",
                "--quiet");
        builder.command().addAll(List.of(more));
        return builder.redirectErrorStream(true).redirectOutput(out.toFile()).start();
    }

    private static void send(String signal, Process process) throws Exception {
        new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                .redirectErrorStream(true)
                .start()
                .waitFor();
    }

    private static boolean isIgnored() throws IOException {
        Path status = Path.of("/proc/self/status");
        if (!Files.exists(status)) {
            return false;
        }
        String ignored = Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .findFirst()
                .orElseThrow()
                .replaceFirst("SigIgn:\\s*", "");
        return ((Long.parseUnsignedLong(ignored, 16) >> (SIGINT - 1)) & 1) == 1;
    }

    /** The command line as a program. */
    static final class Main {
        public static void main(String[] arguments) {
            System.exit(Weir.commandLine(
                            new PrintWriter(System.out, true, StandardCharsets.UTF_8),
                            new PrintWriter(System.err, true, StandardCharsets.UTF_8))
                    .execute(arguments));
        }

        private Main() {}
    }
}
