package dev.weir.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServerFailureTest {
    private static final ServerSpec SPEC = new ServerSpec(
            "primary",
            "PostgreSQL (primary)",
            5432,
            "--port-postgres",
            List.of("postgres"),
            "postgres",
            Path.of("/data/primary"),
            Path.of("/data/primary.log"),
            "QUIT",
            Duration.ofSeconds(3),
            pid -> true);

    @Test
    void aTakenPort() {
        assertFailure(
                "LOG:  could not bind IPv4 address \"127.0.0.1\": Address already in use\nFATAL:  could not create any TCP/IP sockets",
                ServerFailure.Kind.PORT_TAKEN,
                "Port 5432 for PostgreSQL (primary) is taken by another process: choose another with --port-postgres,"
                        + " or leave it out and a free one is chosen.");
    }

    @Test
    void aFullDisk() {
        assertFailure(
                "FATAL:  could not write to file \"pg_wal/xlogtemp.1\": No space left on device",
                ServerFailure.Kind.DISK_FULL,
                "PostgreSQL (primary) found the disk full below /data/primary: free some space,"
                        + " or set WEIR_CACHE to a folder on another disk.");
    }

    @Test
    void aMissingLibrary() {
        assertFailure(
                "redis-server: error while loading shared libraries: libssl.so.3: cannot open shared object file: No such file",
                ServerFailure.Kind.MISSING_LIBRARY,
                "PostgreSQL (primary) needs the library libssl.so.3, which this machine does not have:"
                        + " install the package that holds it.");
    }

    @Test
    void anOldCLibrary() {
        assertFailure(
                "postgres: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.34' not found (required by postgres)",
                ServerFailure.Kind.MISSING_LIBRARY,
                "PostgreSQL (primary) needs GLIBC_2.34, and the C library of this machine is older: use a newer system.");
    }

    @Test
    void tooLittleSharedMemory() {
        assertFailure(
                "FATAL:  could not resize shared memory segment \"/PostgreSQL.1\" to 1048576 bytes: No space left on device",
                ServerFailure.Kind.SHARED_MEMORY,
                "PostgreSQL (primary) got no shared memory from the system: make /dev/shm larger, or lower shared_buffers.");
    }

    @Test
    void aMachineWithoutUserNamespaces() {
        assertFailure(
                "unshare: unshare failed: Operation not permitted",
                ServerFailure.Kind.NO_USER_NAMESPACE,
                "PostgreSQL does not run as root, and this machine does not allow the user namespace that would help:"
                        + " start the stack as an ordinary user.");
    }

    @Test
    void aRefusedSetting() {
        assertFailure(
                "LOG:  unrecognized configuration parameter \"max_conections\" in file \"postgresql.conf\" line 3",
                ServerFailure.Kind.BAD_SETTING,
                "PostgreSQL (primary) refuses a setting: unrecognized configuration parameter \"max_conections\""
                        + " in file \"postgresql.conf\" line 3.");
    }

    @Test
    void anythingElseQuotesTheTellingLine() {
        assertFailure(
                "LOG:  starting\nFATAL:  something new\nLOG:  database system is shut down\n",
                ServerFailure.Kind.OTHER,
                "PostgreSQL (primary) ended with exit code 1; the last line of its log: FATAL:  something new");
    }

    @Test
    void anEmptyLogIsSaidToBeEmpty() {
        assertFailure(
                "",
                ServerFailure.Kind.OTHER,
                "PostgreSQL (primary) ended with exit code 1; the last line of its log: (empty)");
    }

    private static void assertFailure(String log, ServerFailure.Kind kind, String sentence) {
        assertThat(ServerFailure.of(SPEC, "ended with exit code 1", log)).isEqualTo(new ServerFailure(kind, sentence));
    }
}
