package dev.weir.core.express;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.AccessLogValve;
import org.apache.catalina.valves.ValveBase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class PortLaneTest {

    private static final String GET = "GET /p/1 HTTP/1.1\r\nHost: h\r\n\r\n";

    private final AtomicInteger loads = new AtomicInteger();
    private final CaffeineHotEntries<Long, String> entries = new CaffeineHotEntries<>(100, Duration.ofHours(1), id -> {
        loads.incrementAndGet();
        return id == 404 ? null : "value " + id;
    });
    private final ExpressRoute<Long, String> route = route(entries);

    private static ExpressRoute<Long, String> route(HotEntries<Long, String> entries) {
        return ExpressRoute.<Long, String>of("/p/{id}", Long::valueOf, entries)
                .produces("text/plain", text -> text.getBytes(StandardCharsets.UTF_8))
                .build();
    }

    @Test
    void answersInThePollerOnceTheFilterHasEncoded() throws Exception {
        try (LaneTomcat server = LaneTomcat.on(route);
                Socket client = RawClient.open(server.port())) {
            String first = RawClient.answer(client, GET);
            assertThat(first).endsWith("value 1");
            assertThat(inThePoller(server, client, GET)).isEqualTo(first);
            assertThat(route.counts().requests(Lane.FILTER, 200)).isPositive();
            assertThat(route.counts().nanos(Lane.PORT, 200)).isPositive();
            assertThat(loads).hasValue(1);
            assertThat(server.lane.isActive()).isTrue();
        }
    }

    @Test
    void hotAndOtherRequestsTakeTurnsOnOneConnection() throws Exception {
        try (LaneTomcat server = LaneTomcat.on(route);
                Socket client = RawClient.open(server.port())) {
            String hot = RawClient.answer(client, GET);
            for (int i = 0; i < 10; i++) {
                assertThat(RawClient.answer(client, "GET /other HTTP/1.1\r\nHost: h\r\nCookie: a=" + i + "\r\n\r\n"))
                        .contains("GET /other", "Cookie=[a=" + i);
                assertThat(inThePoller(server, client, GET)).isEqualTo(hot);
            }
        }
    }

    @Test
    void encodedBytesDieWithTheirEntry() throws Exception {
        try (LaneTomcat server = LaneTomcat.on(route);
                Socket client = RawClient.open(server.port())) {
            inThePoller(server, client, GET);
            assertThat(loads).hasValue(1);
            entries.drop(1L);
            long before = server.answered();
            RawClient.answer(client, GET);
            assertThat(loads).hasValue(2);
            assertThat(server.answered()).isEqualTo(before);
        }
    }

    @Test
    void aValueThatDoesNotExistIsTheApplications() throws Exception {
        try (LaneTomcat server = LaneTomcat.on(route);
                Socket client = RawClient.open(server.port())) {
            assertThat(RawClient.answer(client, "GET /p/404 HTTP/1.1\r\nHost: h\r\n\r\n"))
                    .contains("GET /p/404?null");
        }
    }

    @Test
    void knowsWhatTheClientHas() throws Exception {
        try (LaneTomcat server = LaneTomcat.on(route);
                Socket client = RawClient.open(server.port())) {
            RawClient.answer(client, GET);
            String tag = EntityTags.of("value 1".getBytes(StandardCharsets.UTF_8));
            String conditional = "GET /p/1 HTTP/1.1\r\nHost: h\r\nIf-None-Match: " + tag + "\r\n\r\n";
            String answer = inThePoller(server, client, conditional);
            assertThat(answer).startsWith("HTTP/1.1 304 \r\n").contains("ETag: " + tag);
            assertThat(route.counts().requests(Lane.PORT, 304)).isPositive();
        }
    }

    @Test
    void aConnectionUsedByTheLaneAloneOutlivesTheConnectionTimeout() throws Exception {
        try (LaneTomcat server =
                        LaneTomcat.of(List.of(route), LaneTomcat.settings(1), Admission.open(), true, starting -> {
                            starting.protocol.setConnectionTimeout(1500);
                            starting.protocol.setMaxKeepAliveRequests(-1);
                        });
                Socket client = RawClient.open(server.port())) {
            String hot = RawClient.answer(client, GET);
            long start = System.nanoTime();
            while (System.nanoTime() - start < TimeUnit.MILLISECONDS.toNanos(4000)) {
                assertThat(RawClient.answer(client, GET)).isEqualTo(hot);
                await(40);
            }
            assertThat(client.getInputStream().read())
                    .as("closed once it is idle")
                    .isEqualTo(-1);
        }
    }

    @Test
    void closesAfterTheSameNumberOfRequestsAsTomcat() throws Exception {
        try (LaneTomcat server = LaneTomcat.of(
                List.of(route),
                LaneTomcat.settings(1),
                Admission.open(),
                true,
                starting -> starting.protocol.setMaxKeepAliveRequests(4))) {
            for (int connection = 0; server.lane.passedOn(PassedOn.LAST_OF_CONNECTION) == 0; connection++) {
                assertThat(connection)
                        .as("connections without a last request in the poller")
                        .isLessThan(100);
                try (Socket client = RawClient.open(server.port())) {
                    for (int i = 0; i < 3; i++) {
                        assertThat(RawClient.answer(client, GET)).doesNotContain("Connection: close");
                    }
                    assertThat(RawClient.answer(client, GET)).contains("Connection: close");
                    assertThat(client.getInputStream().read()).isEqualTo(-1);
                }
            }
        }
    }

    @Test
    void finishesAnAnswerThatASlowClientTakesInPieces() throws Exception {
        int size = 3 << 20;
        CaffeineHotEntries<Long, byte[]> large = new CaffeineHotEntries<>(1, Duration.ofHours(1), id -> new byte[size]);
        ExpressRoute<Long, byte[]> largeRoute = ExpressRoute.<Long, byte[]>of("/p/{id}", Long::valueOf, large)
                .produces("application/octet-stream", bytes -> bytes)
                .withoutGzip()
                .build();
        try (LaneTomcat server = LaneTomcat.of(
                        List.of(largeRoute),
                        LaneTomcat.settings(1),
                        Admission.open(),
                        true,
                        starting -> starting.protocol.setProperty("socket.txBufSize", "65536"));
                Socket warm = RawClient.open(server.port());
                Socket slow = new Socket();
                Socket other = RawClient.open(server.port())) {
            RawClient.answer(warm, GET);
            slow.setReceiveBufferSize(16 << 10);
            slow.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
            slow.getOutputStream().write(GET.getBytes(StandardCharsets.US_ASCII));
            until(() -> server.lane.unfinishedWrites() == 1);
            // The next request waits for its turn, and the poller serves others meanwhile.
            slow.getOutputStream().write(GET.getBytes(StandardCharsets.US_ASCII));
            assertThat(RawClient.answer(other, "GET /x HTTP/1.1\r\nHost: h\r\n\r\n"))
                    .contains("GET /x");
            assertThat(RawClient.answer(slow, false)).hasSizeGreaterThan(size);
            assertThat(RawClient.answer(slow, false)).hasSizeGreaterThan(size);
        }
    }

    @Test
    void aStopWaitsForTheRestOfAnAnswer() throws Exception {
        int size = 3 << 20;
        CaffeineHotEntries<Long, byte[]> large = new CaffeineHotEntries<>(1, Duration.ofHours(1), id -> new byte[size]);
        ExpressRoute<Long, byte[]> largeRoute = ExpressRoute.<Long, byte[]>of("/p/{id}", Long::valueOf, large)
                .produces("application/octet-stream", bytes -> bytes)
                .withoutGzip()
                .build();
        LaneTomcat server = LaneTomcat.of(
                List.of(largeRoute),
                LaneTomcat.settings(1),
                Admission.open(),
                true,
                starting -> starting.protocol.setProperty("socket.txBufSize", "65536"));
        try (Socket warm = RawClient.open(server.port());
                Socket slow = new Socket()) {
            RawClient.answer(warm, GET);
            slow.setReceiveBufferSize(16 << 10);
            slow.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
            slow.getOutputStream().write(GET.getBytes(StandardCharsets.US_ASCII));
            until(() -> server.lane.unfinishedWrites() == 1);
            Thread stopping = Thread.ofPlatform().start(server::close);
            assertThat(RawClient.answer(slow, false)).hasSizeGreaterThan(size);
            assertThat(slow.getInputStream().read()).isEqualTo(-1);
            stopping.join();
        }
    }

    @Test
    void whatAWorkerServesIsNotIdle() throws Exception {
        CaffeineHotEntries<Long, String> slow = new CaffeineHotEntries<>(10, Duration.ofHours(1), id -> {
            await(3000);
            return "slow";
        });
        try (LaneTomcat server = LaneTomcat.of(
                        List.of(route(slow)), LaneTomcat.settings(1), Admission.open(), true, starting -> {
                            starting.protocol.setConnectionTimeout(1000);
                            starting.protocol.setKeepAliveTimeout(60_000);
                        });
                Socket client = RawClient.open(server.port())) {
            assertThat(RawClient.answer(client, GET)).endsWith("slow");
            assertThat(RawClient.answer(client, GET)).endsWith("slow");
        }
    }

    @Test
    void aRequestThatComesWhileAWorkerServesTheOneBeforeWaitsForItsTurn() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CaffeineHotEntries<Long, String> slow = new CaffeineHotEntries<>(10, Duration.ofHours(1), id -> {
            release.await();
            return "slow";
        });
        try (LaneTomcat server = LaneTomcat.on(route(slow));
                Socket client = RawClient.open(server.port());
                Socket other = RawClient.open(server.port())) {
            client.getOutputStream().write(GET.getBytes(StandardCharsets.US_ASCII));
            until(() -> server.lane.passedOn(PassedOn.NOT_READY) == 1);
            client.getOutputStream().write("GET /x HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(RawClient.answer(other, "GET /y HTTP/1.1\r\nHost: h\r\n\r\n"))
                    .contains("GET /y");
            release.countDown();
            assertThat(RawClient.answer(client, false)).endsWith("slow");
            assertThat(RawClient.answer(client, false)).contains("GET /x");
            assertThat(inThePoller(server, client, GET)).endsWith("slow");
        }
    }

    @Test
    void aClientThatTakesNothingIsForgottenWithItsConnection() throws Exception {
        CaffeineHotEntries<Long, byte[]> large =
                new CaffeineHotEntries<>(1, Duration.ofHours(1), id -> new byte[3 << 20]);
        ExpressRoute<Long, byte[]> largeRoute = ExpressRoute.<Long, byte[]>of("/p/{id}", Long::valueOf, large)
                .produces("application/octet-stream", bytes -> bytes)
                .withoutGzip()
                .build();
        try (LaneTomcat server =
                        LaneTomcat.of(List.of(largeRoute), LaneTomcat.settings(1), Admission.open(), true, starting -> {
                            starting.protocol.setProperty("socket.txBufSize", "65536");
                            starting.protocol.setConnectionTimeout(500);
                        });
                Socket warm = RawClient.open(server.port());
                Socket stuck = new Socket()) {
            RawClient.answer(warm, GET);
            stuck.setReceiveBufferSize(16 << 10);
            stuck.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
            stuck.getOutputStream().write(GET.getBytes(StandardCharsets.US_ASCII));
            until(() -> server.lane.unfinishedWrites() == 1);
            until(() -> server.protocol.unfinished() == 0);
        }
    }

    @Test
    void aPausedConnectorAnswersWhatIsReadyAsTheLast() throws Exception {
        try (LaneTomcat server = LaneTomcat.on(route);
                Socket client = RawClient.open(server.port())) {
            inThePoller(server, client, GET);
            long before = server.answered();
            server.tomcat.getConnector().pause();
            assertThat(RawClient.answer(client, GET))
                    .startsWith("HTTP/1.1 200 ")
                    .contains("\r\nConnection: close\r\n")
                    .endsWith("value 1");
            assertThat(client.getInputStream().read()).isEqualTo(-1);
            until(() -> server.answered() == before + 1);
        }
    }

    @Test
    void whatIsNotReadyWhileItIsPausedGoesTomcatsWay() throws Exception {
        try (LaneTomcat server = LaneTomcat.on(route);
                Socket client = RawClient.open(server.port())) {
            inThePoller(server, client, GET);
            server.tomcat.getConnector().pause();
            assertThat(RawClient.answer(client, "GET /p/2 HTTP/1.1\r\nHost: h\r\n\r\n"))
                    .as("closed, as Tomcat does")
                    .isEmpty();
        }
    }

    @Test
    void whatTheLimiterDoesNotAdmitGoesTheNormalWay() throws Exception {
        AtomicInteger done = new AtomicInteger();
        Admission every2nd = new Admission() {
            private int asked;

            @Override
            public boolean admit(ExpressRoute<?, ?> route) {
                return ++asked % 2 == 0;
            }

            @Override
            public void done(long tookNanos) {
                done.incrementAndGet();
            }
        };
        try (LaneTomcat server = LaneTomcat.of(List.of(route), LaneTomcat.settings(1), every2nd, true, starting -> {});
                Socket client = RawClient.open(server.port())) {
            String hot = RawClient.answer(client, GET);
            for (int i = 0; i < 6; i++) {
                assertThat(inThePoller(server, client, GET)).isEqualTo(hot);
            }
            assertThat(server.lane.passedOn(PassedOn.ADMISSION)).isPositive();
            until(() -> done.get() == server.answered());
        }
    }

    @Test
    void aCacheThatThrowsCostsNoAnswer() throws Exception {
        HotEntries<Long, String> broken = new HotEntries<>() {
            @Override
            public HotEntry<String> peek(Long key) {
                if (Thread.currentThread().getName().contains("Express-Poller")) {
                    throw new IllegalStateException("broken");
                }
                return new AttachableEntry<>("fine");
            }

            @Override
            public HotEntry<String> load(Long key) {
                return new AttachableEntry<>("fine");
            }
        };
        try (LaneTomcat server = LaneTomcat.on(route(broken));
                Socket client = RawClient.open(server.port())) {
            assertThat(RawClient.answer(client, GET)).endsWith("fine");
            assertThat(RawClient.answer(client, GET)).endsWith("fine");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aLimiterThatFailsEndsNoPoller(boolean error) throws Exception {
        Admission broken = new Admission() {
            @Override
            public boolean admit(ExpressRoute<?, ?> asked) {
                return true;
            }

            @Override
            public void done(long tookNanos) {
                if (error) {
                    throw new AssertionError("limiter");
                }
                throw new IllegalStateException("limiter");
            }
        };
        try (LaneTomcat server = LaneTomcat.of(List.of(route), LaneTomcat.settings(1), broken, true, starting -> {})) {
            for (int i = 0; i < 3; i++) {
                try (Socket client = RawClient.open(server.port())) {
                    assertThat(RawClient.answer(client, GET)).endsWith("value 1");
                }
            }
            until(() -> server.answered() == 2);
        }
    }

    @Test
    void writesTheAccessLogAsForTheOtherRequests(@TempDir Path logs) throws Exception {
        try (LaneTomcat server =
                        LaneTomcat.of(List.of(route), LaneTomcat.settings(1), Admission.open(), true, starting -> {
                            AccessLogValve valve = new AccessLogValve();
                            valve.setDirectory(logs.toString());
                            valve.setPattern("%a %m %U %H %s %b %{User-Agent}i %l");
                            valve.setBuffered(false);
                            starting.tomcat.getEngine().getPipeline().addValve(valve);
                        });
                Socket client = RawClient.open(server.port())) {
            inThePoller(server, client, "GET /p/1 HTTP/1.1\r\nHost: h\r\nUser-Agent: me\r\n\r\n");
            RouteCounts counts = route.counts();
            until(() -> lines(logs).size() == counts.requests(Lane.PORT, 200) + counts.requests(Lane.FILTER, 200));
            assertThat(lines(logs)).containsOnly("127.0.0.1 GET /p/1 HTTP/1.1 200 7 me -");
        }
    }

    @Test
    void severalPollersShareTheConnections() throws Exception {
        try (LaneTomcat server =
                LaneTomcat.of(List.of(route), LaneTomcat.settings(3), Admission.open(), true, starting -> {})) {
            for (int i = 0; i < 7; i++) {
                try (Socket client = RawClient.open(server.port())) {
                    assertThat(inThePoller(server, client, GET)).endsWith("value 1");
                }
            }
            assertThat(server.lane.state()).isEqualTo("on, 3 pollers");
        }
    }

    @Test
    void aValveThatMustSeeEveryRequestKeepsTheLaneOff() throws Exception {
        try (LaneTomcat server = LaneTomcat.of(
                        List.of(route),
                        LaneTomcat.settings(1),
                        Admission.open(),
                        true,
                        starting -> starting.tomcat.getEngine().getPipeline().addValve(new Gate()));
                Socket client = RawClient.open(server.port())) {
            assertThat(server.lane.state()).startsWith("off: the valve").contains("Gate");
            RawClient.answer(client, GET);
            assertThat(RawClient.answer(client, GET)).endsWith("value 1");
            assertThat(server.answered()).isZero();
        }
    }

    @Test
    void worksAgainAfterAStopAndAStart() throws Exception {
        try (LaneTomcat server = LaneTomcat.on(route)) {
            server.tomcat.getConnector().stop();
            assertThat(server.lane.isActive()).isFalse();
            server.tomcat.getConnector().start();
            assertThat(server.lane.isActive()).isTrue();
            try (Socket client = RawClient.open(server.port())) {
                assertThat(inThePoller(server, client, GET)).endsWith("value 1");
            }
        }
    }

    @Test
    void aLoadersFailureReachesItsCallerAsItWasThrown() {
        IOException failure = new IOException("gone");
        CaffeineHotEntries<Long, String> failing = new CaffeineHotEntries<>(10, Duration.ofHours(1), id -> {
            throw failure;
        });
        assertThatThrownBy(() -> failing.load(1L)).isSameAs(failure);
        assertThat(failing.peek(1L)).isNull();
    }

    @Test
    void concurrentMissesShareOneLoad() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger slowLoads = new AtomicInteger();
        CaffeineHotEntries<Long, String> slow = new CaffeineHotEntries<>(10, Duration.ofHours(1), id -> {
            slowLoads.incrementAndGet();
            release.await();
            return "slow";
        });
        try (LaneTomcat server = LaneTomcat.on(route(slow))) {
            List<Socket> clients = List.of(
                    RawClient.open(server.port()), RawClient.open(server.port()), RawClient.open(server.port()));
            for (Socket client : clients) {
                client.getOutputStream().write(GET.getBytes(StandardCharsets.US_ASCII));
            }
            until(() -> server.lane.passedOn(PassedOn.NOT_READY) == 3 && slowLoads.get() == 1);
            release.countDown();
            for (Socket client : clients) {
                assertThat(RawClient.answer(client, false)).endsWith("slow");
                client.close();
            }
            assertThat(slowLoads).hasValue(1);
        }
    }

    /**
     * The poller's answer. A worker that has just answered looks for the next request itself before it lets the connection
     * go, so the request is sent until the poller was the one.
     */
    private static String inThePoller(LaneTomcat server, Socket client, String request) throws Exception {
        long before = server.answered();
        for (int i = 0; i < 200; i++) {
            String answer = RawClient.answer(client, request);
            if (server.answered() > before) {
                return answer;
            }
            await(1);
        }
        throw new AssertionError("The poller answers none of 200 requests: " + server.lane.state());
    }

    private static List<String> lines(Path directory) {
        try (var files = Files.list(directory)) {
            Path log = files.findFirst().orElseThrow();
            return Files.readAllLines(log);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void until(BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadline).as("waited too long").isNegative();
            await(5);
        }
    }

    private static void await(int millis) throws InterruptedException {
        new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS);
    }

    /** Stands for a valve that refuses some requests. */
    private static final class Gate extends ValveBase {
        @Override
        public void invoke(Request request, Response response) throws IOException, jakarta.servlet.ServletException {
            getNext().invoke(request, response);
        }
    }
}
