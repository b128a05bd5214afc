package dev.weir.lab.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.weir.lab.measure.FailureKind;
import dev.weir.lab.measure.Measurement;
import dev.weir.lab.plan.Load;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SecureServiceIT {
    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final byte[] BODY = "b".repeat(50_000).getBytes(StandardCharsets.US_ASCII);
    private static final Duration SHORT = Duration.ofMillis(500);

    private static KeyStore keys;
    private static HttpsServer server;
    private static ExecutorService threads;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        keys = makeKey(folder.resolve("keys.p12"));
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        threads = Executors.newVirtualThreadPerTaskExecutor();
        server = HttpsServer.create(Requests.at(0), 100);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(BODY);
            exchange.close();
        });
        server.start();
    }

    @AfterAll
    static void stop() {
        server.stop(0);
        threads.shutdownNow();
    }

    private static KeyStore makeKey(Path file) throws Exception {
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        Process process = new ProcessBuilder(
                        keytool,
                        "-genkeypair",
                        "-alias",
                        "test",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost",
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
        process.getInputStream().readAllBytes();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD);
        }
        return store;
    }

    private static KeyStore trusted() throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, PASSWORD);
        store.setCertificateEntry("test", keys.getCertificate("test"));
        return store;
    }

    private static EngineConfig config(Tls tls) {
        return EngineConfig.of(server.getAddress(), 3, Requests.get()).withTls(tls);
    }

    private static Measurement run(Tls tls, Load load) throws IOException, InterruptedException {
        try (LoadEngine engine = new LoadEngine(config(tls))) {
            return engine.run(load, second -> {});
        }
    }

    @Test
    void aTrustedCertificateIsAccepted() throws Exception {
        Measurement run = run(Tls.trusting("localhost", trusted()), Load.constant(100, SHORT));

        assertThat(run.failures()).isEmpty();
        assertThat(run.completed()).isEqualTo(50);
        assertThat(run.bytesReceived()).isGreaterThan(50L * BODY.length);
        assertThat(run.connectionsOpened()).isEqualTo(3);
        Invariants.hold(run);
    }

    @Test
    void aClosedLoopWorksToo() throws Exception {
        Measurement run = run(Tls.insecure("localhost"), Load.closed(SHORT));

        assertThat(run.failures()).isEmpty();
        assertThat(run.completed()).isPositive();
    }

    @Test
    void anUnknownAuthorityFailsEachRequestWithTheReason() throws Exception {
        Measurement run = run(Tls.verified("localhost"), Load.constant(50, SHORT));

        assertThat(run.failures()).containsOnlyKeys(FailureKind.TLS);
        assertThat(run.examples().get(FailureKind.TLS)).contains("certification path");
        Invariants.hold(run);
    }

    @Test
    void aCertificateForAnotherNameFails() throws Exception {
        Measurement run = run(Tls.trusting("other.example", trusted()), Load.constant(50, SHORT));

        assertThat(run.failures()).containsOnlyKeys(FailureKind.TLS);
        assertThat(run.examples().get(FailureKind.TLS)).contains("other.example");
    }

    @Test
    void withoutVerificationAnyCertificateWillDo() throws Exception {
        Measurement run = run(Tls.insecure("other.example"), Load.constant(50, SHORT));

        assertThat(run.failures()).isEmpty();
    }
}
