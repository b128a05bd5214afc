package dev.weir.store.start;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.Http;
import dev.weir.store.Http.Answer;
import dev.weir.store.RunningStore;
import dev.weir.store.StoreApplication;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class StoreProcessIT {

    private static final Pattern BUSY = Pattern.compile("tomcat_threads_busy_threads\\{[^}]*} ([0-9.]+)");

    @RegisterExtension
    static final RunningStore other = new RunningStore();

    @TempDir
    Path folder;

    @Test
    void aLostDatabaseIsAProblemUntilItIsBackAndAStopLetsRequestsFinish() throws Exception {
        try (var relay = new Relay(databasePort());
                var store = start(
                        "--spring.datasource.url=jdbc:postgresql://127.0.0.1:" + relay.port() + "/" + databaseName(),
                        "--spring.datasource.username=" + other.postgres().user(),
                        "--spring.datasource.password=" + other.postgres().password(),
                        "--spring.datasource.hikari.connection-timeout=1000",
                        "--store.mock.delay=3s")) {
            Http http = store.http();
            assertThat(http.get("/api/products/1").status()).isEqualTo(200);

            relay.cut();
            Answer lost = http.get("/api/products/1");
            Answer readiness = http.get("/actuator/health/readiness");
            Answer liveness = http.get("/actuator/health/liveness");
            relay.mend();

            assertThat(lost.status()).isEqualTo(503);
            assertThat(lost.problem()).isEqualTo("database-unavailable");
            assertThat(lost.header("retry-after")).isNotEmpty();
            assertThat(readiness.status()).isEqualTo(503);
            assertThat(liveness.status()).isEqualTo(200);
            Child.await(() -> http.get("/api/products/1").status() == 200);

            var inFlight = CompletableFuture.supplyAsync(() -> http.get("/mapi-mock/1/dummy"));
            Child.await(() -> busyThreads(http) >= 2);
            store.process().destroy();

            assertThat(inFlight.get().status()).isEqualTo(200);
            assertThat(store.exitCode()).isEqualTo(143);
            assertThat(store.output()).contains("Graceful shutdown complete");
        }
    }

    @Test
    void aDatabaseThatIsNotThereIsOneClearMessage() throws Exception {
        int port = freePort();
        try (var store = start("--spring.datasource.url=jdbc:postgresql://127.0.0.1:" + port + "/store")) {
            assertThat(store.exitCode()).isEqualTo(1);
            assertThat(store.output())
                    .contains("The store cannot reach its database at jdbc:postgresql://127.0.0.1:" + port + "/store")
                    .contains("--spring.datasource.url=")
                    .doesNotContain("\tat ");
        }
    }

    @Test
    void aSettingThatCannotBeUsedIsOneClearMessage() throws Exception {
        try (var store = start(
                "--spring.datasource.url=" + other.postgres().jdbcUrl(),
                "--spring.datasource.username=" + other.postgres().user(),
                "--spring.datasource.password=" + other.postgres().password(),
                "--store.mock.delay=-1s")) {
            assertThat(store.exitCode()).isEqualTo(1);
            assertThat(store.output())
                    .contains("store.mock.delay is -1000ms: give a duration from 0ms to 60s.")
                    .doesNotContain("\tat ");
        }
    }

    private Child start(String... args) throws IOException {
        String[] all = new String[args.length + 1];
        all[0] = "--server.port=0";
        System.arraycopy(args, 0, all, 1, args.length);
        return Child.start(folder, StoreApplication.class.getName(), "--store.port-file", all);
    }

    private static double busyThreads(Http http) {
        var busy = BUSY.matcher(http.get("/actuator/prometheus").body());
        return busy.find() ? Double.parseDouble(busy.group(1)) : 0;
    }

    private static int databasePort() throws SQLException {
        return (int) other.count("select inet_server_port()");
    }

    private static String databaseName() {
        String url = other.postgres().jdbcUrl();
        return url.substring(url.lastIndexOf('/') + 1);
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
