package dev.weir.lab.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ProbeIT {
    private static ProbeResult probe(StubServer.Script script) throws IOException {
        try (StubServer server = new StubServer(script)) {
            return probe("localhost", server.address().getPort());
        }
    }

    private static ProbeResult probe(String host, int port) {
        return Probe.probe(
                host,
                port,
                address -> EngineConfig.of(address, 1, Requests.get())
                        .withTimeouts(Duration.ofSeconds(1), Duration.ofMillis(200), Duration.ZERO));
    }

    @Test
    void aServiceThatAnswersIsFine() throws Exception {
        ProbeResult result = probe(client -> {
            client.request();
            client.send("HTTP/1.1 404\r\nContent-Length: 0\r\n\r\n");
        });

        assertThat(result)
                .isInstanceOfSatisfying(
                        ProbeResult.Answered.class,
                        answered -> assertThat(answered.status()).isEqualTo(404));
    }

    @Test
    void aNameThatDoesNotResolveIsNamed() {
        assertThat(probe("no-such-host.invalid", 80).problem()).contains("no-such-host.invalid");
    }

    @Test
    void aPortWithoutListenerRefuses() throws Exception {
        try (SilentPort closed = SilentPort.take()) {
            int port = closed.number();

            assertThat(probe("localhost", port))
                    .isInstanceOfSatisfying(
                            ProbeResult.Unreachable.class,
                            refused -> assertThat(refused.problem()).contains("refused", String.valueOf(port)));
        }
    }

    @Test
    void anotherProtocolIsNoHttp() throws Exception {
        assertThat(probe(client -> client.send("SSH-2.0-OpenSSH_9.2\r\n"))).isInstanceOf(ProbeResult.NotHttp.class);
    }

    @Test
    void aCloseBeforeTheResponseIsTold() throws Exception {
        assertThat(probe(client -> client.request())).isInstanceOf(ProbeResult.ClosedEarly.class);
    }

    @Test
    void silenceIsTold() throws Exception {
        assertThat(probe(StubServer.Client::waitForTheEnd)).isInstanceOf(ProbeResult.NoAnswer.class);
    }
}
