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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MessageProviderTest {

    private HttpServer server = start();

    private static HttpServer start() {
        try {
            return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
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

    private MessageProvider client() {
        URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        return new MessageProvider(new MessageProviderSettings(url, Duration.ofSeconds(5), 10));
    }
}
