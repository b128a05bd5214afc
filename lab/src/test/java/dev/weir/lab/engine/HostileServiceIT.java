package dev.weir.lab.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.lab.measure.FailureKind;
import dev.weir.lab.measure.Measurement;
import dev.weir.lab.plan.Load;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class HostileServiceIT {
    private static final Duration TIMEOUT = Duration.ofMillis(150);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration SHORT = Duration.ofMillis(400);

    static Stream<Arguments> failures() {
        return Stream.of(
                failure("garbage", FailureKind.MALFORMED, client -> client.send("SSH-2.0-OpenSSH\r\n")),
                failure("closes without a byte", FailureKind.CLOSED, client -> {}),
                failure("resets without a byte", FailureKind.CLOSED, StubServer.Client::reset),
                failure(
                        "closes within the header",
                        FailureKind.CLOSED,
                        client -> client.send("HTTP/1.1 200 OK\r\nContent-Le")),
                failure(
                        "closes within the body",
                        FailureKind.CLOSED,
                        client -> client.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this")),
                failure("resets within the body", FailureKind.CLOSED, client -> {
                    client.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this");
                    client.reset();
                }),
                failure("closes its half", FailureKind.CLOSED, client -> {
                    client.socket.shutdownOutput();
                    client.waitForTheEnd();
                }),
                failure("says nothing", FailureKind.TIMEOUT, StubServer.Client::waitForTheEnd),
                failure("stops within the header", FailureKind.TIMEOUT, client -> {
                    client.send("HTTP/1.1 200");
                    client.waitForTheEnd();
                }),
                failure(
                        "huge header",
                        FailureKind.TOO_LARGE,
                        client -> client.send("HTTP/1.1 200 OK\r\nX: " + "x".repeat(100_000))),
                failure(
                        "huge body",
                        FailureKind.TOO_LARGE,
                        client -> client.send("HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n")),
                failure("status", FailureKind.STATUS, client -> {
                    do {
                        client.send("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n");
                    } while (client.request());
                }));
    }

    private static Arguments failure(String name, FailureKind kind, StubServer.Script afterTheRequest) {
        return Arguments.of(name, kind, (StubServer.Script) client -> {
            if (client.request()) {
                afterTheRequest.serve(client);
            }
        });
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("failures")
    void everyOfferedRequestFailsWithItsKind(String name, FailureKind kind, StubServer.Script script) throws Exception {
        try (StubServer server = new StubServer(script);
                LoadEngine engine = engine(server, 3, kind == FailureKind.TIMEOUT ? TIMEOUT : PATIENCE)) {
            Measurement open = engine.run(Load.constant(50, SHORT), second -> {});
            Measurement closed = engine.run(Load.closed(SHORT), second -> {});

            assertThat(open.failures()).as(name).containsOnlyKeys(kind);
            assertThat(open.offered()).isEqualTo(20);
            assertThat(closed.failures()).containsOnlyKeys(kind);
            assertThat(closed.offered()).isPositive();
            Invariants.hold(open);
            Invariants.hold(closed);
        }
    }

    @Test
    void randomBytesFailAndNeverHang() throws Exception {
        Random random = new Random(5);
        try (StubServer server = new StubServer(client -> {
                    while (client.request()) {
                        byte[] bytes = new byte[random.nextInt(3_000)];
                        random.nextBytes(bytes);
                        client.send("HTTP/1.1 200 OK\r\n".substring(0, random.nextInt(17)));
                        client.socket.getOutputStream().write(bytes);
                    }
                });
                LoadEngine engine = engine(server, 5, TIMEOUT)) {
            Measurement run = engine.run(Load.poisson(300, Duration.ofSeconds(1), 1), second -> {});

            assertThat(run.failed()).isEqualTo(run.offered()).isPositive();
            Invariants.hold(run);
        }
    }

    @Test
    void aSlowDripIsAWholeResponse() throws Exception {
        try (StubServer server = new StubServer(client -> {
                    while (client.request()) {
                        for (char c : StubServer.OK.toCharArray()) {
                            client.send(String.valueOf(c));
                        }
                    }
                });
                LoadEngine engine = engine(server, 2, PATIENCE)) {
            Measurement run = engine.run(Load.constant(50, SHORT), second -> {});

            assertThat(run.failures()).isEmpty();
            assertThat(run.completed()).isEqualTo(20);
        }
    }

    @Test
    void bytesNobodyAskedForCostTheConnectionButNotTheResponse() throws Exception {
        try (StubServer server = new StubServer(client -> {
                    while (client.request()) {
                        client.send(StubServer.OK + "HTTP/1.1 500 Stray\r\nContent-Length: 0\r\n\r\n");
                    }
                });
                LoadEngine engine = engine(server, 2, PATIENCE)) {
            Measurement run = engine.run(Load.constant(50, SHORT), second -> {});

            assertThat(run.statuses()).containsExactly(Map.entry(200, 20L));
            assertThat(run.failures()).isEmpty();
            assertThat(server.accepted()).isGreaterThanOrEqualTo(20);
        }
    }

    @Test
    void aConnectionClosedWhileIdleIsReplacedSilently() throws Exception {
        try (StubServer server = new StubServer(client -> {
                    if (client.request()) {
                        client.send(StubServer.OK);
                    }
                });
                LoadEngine engine = engine(server, 4, PATIENCE)) {
            Measurement run = engine.run(Load.constant(20, Duration.ofSeconds(1)), second -> {});

            assertThat(run.failures()).isEmpty();
            assertThat(run.completed()).isEqualTo(20);
            assertThat(run.connectionsOpened()).isGreaterThanOrEqualTo(20);
        }
    }

    @Test
    void aServiceThatClosesEachNewConnectionIsNotStormed() throws Exception {
        try (StubServer server = new StubServer(client -> {});
                LoadEngine engine = engine(server, 50, PATIENCE)) {
            Measurement run = engine.run(Load.constant(20, Duration.ofSeconds(1)), second -> {});

            assertThat(run.failed()).isEqualTo(20);
            assertThat(run.connectionsOpened()).isLessThan(250);
            Invariants.hold(run);
        }
    }

    @Test
    void anAnswerThatComesAfterItsRunIsNotTheNextRuns() throws Exception {
        CountDownLatch firstRunIsOver = new CountDownLatch(1);
        try (StubServer server = new StubServer(client -> {
                    while (client.request()) {
                        boolean early = firstRunIsOver.getCount() > 0;
                        firstRunIsOver.await();
                        client.send(early ? "HTTP/1.1 418 Late\r\nContent-Length: 0\r\n\r\n" : StubServer.OK);
                    }
                });
                LoadEngine engine = new LoadEngine(EngineConfig.of(server.address(), 3, Requests.get())
                        .withTimeouts(Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ZERO))) {
            Measurement first = engine.run(Load.constant(100, Duration.ofMillis(100)), second -> {});
            firstRunIsOver.countDown();
            Measurement second = engine.run(Load.closed(Duration.ofMillis(200)), sample -> {});

            assertThat(first.failures()).containsExactly(Map.entry(FailureKind.UNFINISHED, 10L));
            assertThat(first.sent()).isEqualTo(3);
            assertThat(second.statuses()).containsOnlyKeys(200);
            assertThat(second.connectionsOpened()).isEqualTo(3);
            Invariants.hold(first);
            Invariants.hold(second);
        }
    }

    /** A service that freezes once: 100 requests/s, and from the first second's middle on nothing for half a second. */
    @Test
    void aFreezeShowsInLatenciesFromTheIntendedTime() throws Exception {
        FreezingClock clock = new FreezingClock(Duration.ofMillis(250), Duration.ofMillis(500));
        try (StubServer server = new StubServer(client -> {
                    while (client.request()) {
                        clock.waitWhileFrozen();
                        client.send(StubServer.OK);
                    }
                });
                LoadEngine engine = new LoadEngine(EngineConfig.of(server.address(), 2, Requests.get()))) {
            Measurement run = engine.run(Load.constant(100, Duration.ofSeconds(1)), second -> {});

            assertThat(run.completed()).isEqualTo(100);
            assertThat(run.sent()).isEqualTo(100);
            assertThat(slowerThan(100, run.fromIntended())).isGreaterThan(30);
            assertThat(slowerThan(100, run.fromSent())).isLessThanOrEqualTo(20);
            assertThat(run.late()).isGreaterThan(30);
        }
    }

    private static long slowerThan(long millis, Histogram nanos) {
        return nanos.getCountBetweenValues(millis * 1_000_000, nanos.getHighestTrackableValue());
    }

    @Test
    void requestsThatTimeOutAreNotMissingFromTheLatencies() throws Exception {
        try (StubServer server = new StubServer(client -> {
                    if (client.request()) {
                        client.waitForTheEnd();
                    }
                });
                LoadEngine engine = engine(server, 2, TIMEOUT)) {
            Measurement run = engine.run(Load.constant(50, SHORT), second -> {});

            assertThat(run.fromIntended().getTotalCount()).isEqualTo(20);
            assertThat(run.fromIntended().getMinValue()).isGreaterThanOrEqualTo(TIMEOUT.toNanos() * 99 / 100);
        }
    }

    @Test
    void aLargeRequestIsSentInPieces() throws Exception {
        String body = "b".repeat(3_000_000);
        String request = "POST / HTTP/1.1\r\nHost: test\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
        try (StubServer server = new StubServer(client -> {
                    while (client.request()) {
                        client.socket.getInputStream().readNBytes(body.length());
                        client.send(StubServer.OK);
                    }
                });
                LoadEngine engine =
                        new LoadEngine(EngineConfig.of(server.address(), 2, Requests.fixed(request, false)))) {
            Measurement run = engine.run(new Load(Load.Mode.CLOSED, 0, Duration.ofSeconds(30), 10, 0), second -> {});

            assertThat(run.completed()).isEqualTo(10);
            assertThat(run.failures()).isEmpty();
        }
    }

    private static LoadEngine engine(StubServer server, int connections, Duration timeout) throws IOException {
        return new LoadEngine(EngineConfig.of(server.address(), connections, Requests.get())
                .withTimeouts(Duration.ofSeconds(10), timeout, Duration.ofSeconds(20))
                .withLimits(4_096, 1_000_000));
    }
}
