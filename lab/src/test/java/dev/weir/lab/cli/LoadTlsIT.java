package dev.weir.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir load} over TLS with a certificate that no authority known to the JDK has signed. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LoadTlsIT {
    private static final char[] PASSWORD = "changeit".toCharArray();

    private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
    private String url = "";
    private String authority = "";
    private Runnable stop = () -> {};

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        KeyStore keys = selfSigned(folder);
        authority = Files.writeString(
                        folder.resolve("authority.pem"),
                        pem(keys.getCertificate("key").getEncoded()))
                .toString();
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.setExecutor(workers);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        url = "https://127.0.0.1:" + server.getAddress().getPort() + "/";
        stop = () -> server.stop(0);
    }

    @AfterAll
    void stop() {
        stop.run();
        workers.close();
    }

    private static KeyStore selfSigned(Path folder) throws Exception {
        Path file = folder.resolve("keys.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "key",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=weir test",
                        "-ext",
                        "SAN=ip:127.0.0.1",
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        new String(PASSWORD))
                .redirectErrorStream(true)
                .start();
        try {
            assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            keytool.destroyForcibly();
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, PASSWORD);
        }
        return keys;
    }

    private static String pem(byte[] certificate) {
        return "-----BEGIN CERTIFICATE-----\n" + Base64.getMimeEncoder().encodeToString(certificate)
                + "\n-----END CERTIFICATE-----\n";
    }

    @Test
    void refusesACertificateThatDoesNotVerify() {
        CommandRun run = CommandRun.of("load", url, "-n", "5", "--timeout", "20s");

        assertThat(run.exitCode()).isEqualTo(ExitCode.UNREACHABLE);
        assertThat(run.err())
                .startsWith("weir: the certificate of 127.0.0.1:")
                .contains(
                        "does not verify", "trust its authority with --cacert FILE, or skip the check with --insecure");
    }

    @Test
    void trustsTheAuthorityItIsGiven() {
        CommandRun run = CommandRun.of("load", url, "-n", "5", "--cacert", authority, "--timeout", "20s");

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).contains("204: 5");
    }

    @Test
    void skipsTheCheckWhereAsked() {
        CommandRun run = CommandRun.of("load", url, "-n", "5", "--insecure", "--timeout", "20s");

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
    }

    @Test
    void refusesATrustFileWithoutACertificate(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("empty.pem"), "nothing\n");

        CommandRun run = CommandRun.of("load", url, "--cacert", file.toString());

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("give a file with certificates in PEM format");
    }
}
