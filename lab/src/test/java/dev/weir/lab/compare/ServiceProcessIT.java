package dev.weir.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ServiceProcessIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    private final int port = FreePort.find();

    @Test
    void isReadyWhenStartReturnsAndGoneAfterClose() throws Exception {
        ServiceProcess service = ServiceProcess.start(toy(PATIENCE, "--mode=ready"));
        try (service) {
            assertThat(accepts()).isTrue();
            assertThat(service.isAlive()).isTrue();
            assertThat(service.cpuTime())
                    .hasValueSatisfying(cpu -> assertThat(cpu).isPositive());
        }

        assertThat(service.isAlive()).isFalse();
        assertThat(accepts()).isFalse();
    }

    @Test
    void aPortThatAcceptsIsReadyWhereTheUrlIsTcp() throws Exception {
        ServiceStart http = toy(PATIENCE, "--mode=ready");
        ServiceStart tcp = new ServiceStart(
                http.name(),
                http.command(),
                http.environment(),
                http.workingDirectory(),
                URI.create("tcp://127.0.0.1:" + port),
                PATIENCE,
                http.logFile());

        try (ServiceProcess service = ServiceProcess.start(tcp)) {
            assertThat(service.isAlive()).isTrue();
        }
    }

    @Test
    void isNotStartedWhereAnotherProcessListens() throws Exception {
        try (ServerSocket other = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> ServiceProcess.start(toy(PATIENCE, "--mode=ready")))
                    .isInstanceOf(ServiceFailure.class)
                    .hasMessageContaining("another process already listens at 127.0.0.1:" + other.getLocalPort());
        }
    }

    @Test
    void aServiceThatEndsAtItsStartIsReportedWithItsLog() {
        assertThatThrownBy(() -> ServiceProcess.start(toy(PATIENCE, "--mode=dies")))
                .isInstanceOf(ServiceFailure.class)
                .hasMessageContaining("toy ended by itself with exit code 7 before it was ready")
                .hasMessageEndingWith("toy: the planted reason");
    }

    @Test
    void aServiceThatIsNeverReadyIsReportedAndStopped() {
        assertThatThrownBy(() -> ServiceProcess.start(toy(Duration.ofSeconds(1), "--mode=never")))
                .isInstanceOf(ServiceFailure.class)
                .hasMessageContaining("toy was not ready after 1.0 s");

        assertThat(children()).isEmpty();
    }

    @Test
    void aProgramThatDoesNotExistIsReported() {
        ServiceStart start = new ServiceStart(
                "toy",
                List.of("no-such-program"),
                Map.of(),
                folder,
                URI.create("http://127.0.0.1:" + port + "/"),
                PATIENCE,
                folder.resolve("toy.log"));

        assertThatThrownBy(() -> ServiceProcess.start(start))
                .isInstanceOf(ServiceFailure.class)
                .hasMessageContaining("toy cannot be started in " + folder)
                .hasMessageContaining("no-such-program");
    }

    @Test
    void aServiceThatIgnoresTheFirstSignalIsKilled() throws Exception {
        ServiceProcess service = ServiceProcess.start(toy(PATIENCE, "--mode=stubborn"), Duration.ofMillis(500));

        service.close();

        assertThat(service.isAlive()).isFalse();
    }

    @Test
    void descendantsAreStoppedAsWell() throws Exception {
        ServiceProcess service = ServiceProcess.start(toy(PATIENCE, "--mode=parent"));
        long child = numberAfter("child ", Files.readString(folder.resolve("toy.log")));
        assertThat(ProcessHandle.of(child)).isPresent();

        service.close();

        assertEnds(child);
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void nothingIsLeftWhenWeirIsKilledWithNine() throws Exception {
        Process weir = standIn();
        long service = serviceOf(weir);

        weir.destroyForcibly();

        assertEnds(service);
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void nothingIsLeftWhenWeirIsTerminated() throws Exception {
        Process weir = standIn();
        long service = serviceOf(weir);

        weir.destroy();

        assertEnds(weir.pid());
        assertThat(ProcessHandle.of(service)).isEmpty();
    }

    private Process standIn() throws IOException {
        return new ProcessBuilder(ToyService.java(
                        WeirStandIn.class,
                        Integer.toString(port),
                        folder.resolve("toy.log").toString()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static long serviceOf(Process weir) throws IOException {
        return numberAfter("service ", weir.inputReader().readLine());
    }

    private static long numberAfter(String word, String text) {
        return text.lines()
                .filter(line -> line.startsWith(word))
                .mapToLong(line -> Long.parseLong(line.substring(word.length())))
                .findFirst()
                .orElseThrow();
    }

    private static void assertEnds(long pid) throws InterruptedException, ExecutionException, TimeoutException {
        var handle = ProcessHandle.of(pid);
        if (handle.isPresent()) {
            handle.get().onExit().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private List<ProcessHandle> children() {
        return ProcessHandle.current()
                .children()
                .filter(child -> child.info().commandLine().orElse("").contains("--port=" + port))
                .toList();
    }

    private boolean accepts() throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
            return true;
        } catch (ConnectException refused) {
            return false;
        }
    }

    private ServiceStart toy(Duration readyTimeout, String... arguments) {
        List<String> command = new ArrayList<>(ToyService.command(arguments));
        command.add("--port=" + port);
        return new ServiceStart(
                "toy",
                command,
                Map.of(),
                folder,
                URI.create("http://127.0.0.1:" + port + "/"),
                readyTimeout,
                folder.resolve("toy.log"));
    }
}
