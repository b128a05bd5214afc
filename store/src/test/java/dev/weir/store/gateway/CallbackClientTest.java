package dev.weir.store.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.weir.store.gateway.CallbackSlots.Turn;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CallbackClientTest {

    private static final UUID ID = new UUID(1, 2);
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochSecond(1_700_000_000));
    private static final Signature SIGNATURE = new Signature("a secret of this test alone");
    private static final List<Network> LOOPBACK =
            List.of(Network.parse("127.0.0.0/8").orElseThrow());

    private record Call(String host, String path, String signature, String body) {}

    private final Queue<Call> calls = new ConcurrentLinkedQueue<>();
    private final AtomicReference<String> nameLeadsTo = new AtomicReference<>("127.0.0.1");
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            try (exchange) {
                String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
                var headers = exchange.getRequestHeaders();
                calls.add(new Call(
                        headers.getFirst("Host"),
                        exchange.getRequestURI().getPath(),
                        headers.getFirst("webhook-signature"),
                        body));
                exchange.getResponseHeaders().set("Location", origin("hooks.test") + "/elsewhere");
                exchange.sendResponseHeaders(exchange.getRequestURI().getPath().equals("/moved") ? 302 : 204, -1);
            }
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void callsWhatANameLeadsToWhereThatIsAllowed() {
        assertThat(call(LOOPBACK, origin("hooks.test") + "/sent")).isNull();

        assertThat(calls).singleElement().satisfies(call -> {
            assertThat(call.host).isEqualTo("hooks.test:" + port());
            assertThat(call.path).isEqualTo("/sent");
            assertThat(call.body).contains("\"type\":\"message.sent\"", ID.toString());
            assertThat(call.signature)
                    .isEqualTo(
                            SIGNATURE.sign("c", ID.toString(), CLOCK.instant().getEpochSecond(), call.body));
        });
    }

    @Test
    void anAllowedNameThatLeadsInsideIsNotCalled() {
        assertThat(call(List.of(), origin("hooks.test") + "/")).contains("hooks.test leads to 127.0.0.1");

        assertThat(calls).isEmpty();
    }

    @Test
    void aNameThatLeadsInsideOnlyTheNextTimeIsNotCalledThen() {
        var inner = List.of(Network.parse("127.0.0.1/32").orElseThrow());
        try (var client = client(inner, Duration.ofSeconds(20), origin("hooks.test"))) {
            assertThat(client.call(due(origin("hooks.test") + "/"))).isNull();
        }
        nameLeadsTo.set("127.0.0.2");
        try (var client = client(inner, Duration.ofSeconds(20), origin("hooks.test"))) {
            assertThat(client.call(due(origin("hooks.test") + "/"))).contains("hooks.test leads to 127.0.0.2");
        }

        assertThat(calls).hasSize(1);
    }

    @Test
    void anAddressThatIsAllowedByItselfIsCalled() {
        assertThat(call(List.of(), origin("127.0.0.1") + "/")).isNull();
    }

    @Test
    void aRedirectIsNotFollowed() {
        assertThat(call(LOOPBACK, origin("hooks.test") + "/moved")).isEqualTo("it answered 302");

        assertThat(calls).hasSize(1);
    }

    @Test
    void anotherOriginIsNotCalled() {
        try (var client = client(LOOPBACK, Duration.ofSeconds(20), "https://hooks.example.com")) {
            assertThat(client.call(due(origin("hooks.test") + "/"))).startsWith("the URL leads to");
        }

        assertThat(calls).isEmpty();
    }

    @Test
    void anAnswerWithoutAnEndEndsInTime() throws IOException {
        assertThat(callRaw("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nthe beginning"))
                .isEqualTo("no whole answer within 500 ms");
    }

    @Test
    void whatIsNoHttpIsAFailureThatTheDatabaseTakes() throws IOException {
        assertThat(callRaw("\0\0\1 no\0 HTTP\r\n\r\n")).isNotNull().doesNotContain("\0");
    }

    private @Nullable String callRaw(String answer) throws IOException {
        try (var raw = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                while (!raw.isClosed()) {
                    answer(raw, answer);
                }
            });
            String origin = "http://127.0.0.1:" + raw.getLocalPort();
            try (var client = client(List.of(), Duration.ofMillis(500), origin)) {
                return client.call(due(origin + "/"));
            }
        }
    }

    /** Leaves the connection open. */
    @SuppressWarnings("resource")
    private static void answer(ServerSocket raw, String answer) {
        try {
            Socket socket = raw.accept();
            OutputStream out = socket.getOutputStream();
            out.write(answer.getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
        } catch (IOException closed) {
            // The test has ended.
        }
    }

    private @Nullable String call(List<Network> inner, String url) {
        try (var client = client(inner, Duration.ofSeconds(20), url.substring(0, url.indexOf('/', 8)))) {
            return client.call(due(url));
        }
    }

    private CallbackClient client(List<Network> inner, Duration timeout, String origin) {
        return new CallbackClient(
                new AllowedOrigins(List.of(origin)),
                new CallbackAddresses(inner, this::lookUp),
                SIGNATURE,
                timeout,
                10,
                CLOCK);
    }

    private InetAddress[] lookUp(String host) throws UnknownHostException {
        if (!host.equals("hooks.test")) {
            throw new UnknownHostException(host);
        }
        return new InetAddress[] {InetAddress.ofLiteral(nameLeadsTo.get())};
    }

    private static CallbackTable.Due due(String url) {
        return new CallbackTable.Due(ID, new Turn("c", "o"), url, 1, "SENT", "p", null, Instant.EPOCH);
    }

    private String origin(String host) {
        return "http://" + host + ":" + port();
    }

    private int port() {
        return server.getAddress().getPort();
    }
}
