package dev.weir.store.messages;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.weir.store.problems.ProblemException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MessageProviderTest {

    private final CountDownLatch stopped = new CountDownLatch(1);
    private HttpServer server = start();

    private static HttpServer start() {
        try {
            HttpServer made = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            made.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
            return made;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void listen() {
        server.start();
    }

    @AfterEach
    void stop() {
        stopped.countDown();
        server.stop(0);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"200 | xyz", "200 | {}", "200 | null", "200 | {\"id\": \"msg_1\"}", "204 | ''", "302 | ''"})
    void anAnswerThatIsNoReceiptIsAFailureOfTheProvider(int status, String body) {
        byte[] content = body.getBytes(StandardCharsets.UTF_8);
        server.createContext("/messages", exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(status, content.length == 0 ? -1 : content.length);
            exchange.getResponseBody().write(content);
            exchange.close();
        });

        assertThatThrownBy(() -> client().send(new Message("+49", "hello")).block(Duration.ofSeconds(10)))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("502");
    }

    @Test
    void anAnswerThatComesInDripsTakesNoLongerThanOneThatDoesNotCome() {
        server.createContext("/messages", exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, 1_000_000);
            try (var body = exchange.getResponseBody()) {
                while (stopped.getCount() > 0) {
                    body.write(' ');
                    body.flush();
                    LockSupport.parkNanos(20_000_000);
                }
            }
        });

        assertThatThrownBy(() -> client(Duration.ofMillis(300))
                        .send(new Message("+49", "hello"), "key")
                        .block(Duration.ofSeconds(20)))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("504");
    }

    private MessageProvider client() {
        return client(Duration.ofSeconds(5));
    }

    private MessageProvider client(Duration timeout) {
        URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        return new MessageProvider(new MessageProviderSettings(url, timeout, 10));
    }
}
