package dev.weir.lab.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ListeningProcessTest {
    private static final String HEADER =
            "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt\n";

    @TempDir
    private Path proc;

    @Test
    void findsThisProcessBehindItsOwnPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            assertThat(ListeningProcess.onThisMachine().find("127.0.0.1", socket.getLocalPort()))
                    .isEqualTo(
                            new PortOwner.Found(List.of(ProcessHandle.current().pid())));
        }
    }

    @Test
    void findsTheMasterAndItsWorkersOnOneSocket() throws IOException {
        listen("0100007F:1F90", 3, 77);
        process(10, "socket:[77]");
        process(11, "socket:[77]");
        process(12, "socket:[78]");
        assertThat(finder().find("127.0.0.1", 8080)).isEqualTo(new PortOwner.Found(List.of(10L, 11L)));
    }

    @Test
    void prefersTheSocketBoundToTheAddressOverTheWildcard() throws IOException {
        Files.createDirectories(proc.resolve("net"));
        Files.writeString(
                proc.resolve("net/tcp"), HEADER + line("00000000:1F90", 0, 70) + line("0100007F:1F90", 0, 71));
        process(10, "socket:[70]");
        process(11, "socket:[71]");
        assertThat(finder().find("127.0.0.1", 8080)).isEqualTo(new PortOwner.Found(List.of(11L)));
    }

    @Test
    void countsTheConnectionsThatWaitToBeAccepted() throws IOException {
        listen("0100007F:1F90", 0x1a, 77);
        assertThat(finder().acceptQueue(InetAddress.ofLiteral("127.0.0.1"), 8080))
                .isEqualTo(26);
    }

    @Test
    void saysThatNobodyListens() throws IOException {
        listen("0100007F:1F90", 0, 77);
        assertThat(finder().find("127.0.0.1", 8081))
                .isInstanceOfSatisfying(
                        PortOwner.NotFound.class,
                        notFound -> assertThat(notFound.reason())
                                .startsWith("No process of this machine listens on port 8081"));
    }

    @Test
    void saysThatTheProcessMayNotBeLookedInto() throws IOException {
        listen("0100007F:1F90", 0, 77);
        Files.createDirectories(proc.resolve("10"));
        assertThat(finder().find("127.0.0.1", 8080))
                .isInstanceOfSatisfying(
                        PortOwner.NotFound.class,
                        notFound -> assertThat(notFound.reason()).contains("may not look into", "--pid"));
    }

    @Test
    void saysThatAnAddressElsewhereCannotBeWatched() {
        assertThat(ListeningProcess.onThisMachine().find("192.0.2.1", 80))
                .isInstanceOfSatisfying(
                        PortOwner.NotFound.class,
                        notFound -> assertThat(notFound.reason())
                                .startsWith("192.0.2.1 is not an address of this machine"));
    }

    @Test
    void writesAddressesAsTheKernelDoes() throws IOException {
        assertThat(TcpListeners.hexForms(InetAddress.ofLiteral("127.0.0.1")))
                .containsExactly("0100007F", "0000000000000000FFFF00000100007F");
        assertThat(TcpListeners.hexForms(InetAddress.ofLiteral("::1")))
                .containsExactly("00000000000000000000000001000000");
    }

    private ListeningProcess finder() {
        return new ListeningProcess(new ProcFiles(proc));
    }

    private void listen(String address, int queue, long inode) throws IOException {
        Files.createDirectories(proc.resolve("net"));
        Files.writeString(proc.resolve("net/tcp"), HEADER + line(address, queue, inode));
    }

    private static String line(String address, int queue, long inode) {
        return "   0: %s 00000000:0000 0A 00000000:%08X 00:00000000 00000000     0        0 %d 1 0 100 0 0 10 0%n"
                .formatted(address, queue, inode);
    }

    private void process(long pid, String link) throws IOException {
        Path fds = Files.createDirectories(proc.resolve(pid + "/fd"));
        Files.createSymbolicLink(fds.resolve("5"), Path.of(link));
    }
}
