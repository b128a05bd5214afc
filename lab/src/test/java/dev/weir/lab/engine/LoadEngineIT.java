package dev.weir.lab.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import dev.weir.lab.measure.FailureKind;
import dev.weir.lab.measure.Measurement;
import dev.weir.lab.measure.SecondSample;
import dev.weir.lab.plan.Load;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LoadEngineIT {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void anOpenLoopOffersItsRateWhateverTheThreads() throws Exception {
        try (NullServer server = NullServer.start(0, 1, 100);
                LoadEngine engine = engine(server, 2, 5)) {
            Measurement run = engine.run(Load.constant(500, Duration.ofSeconds(2)), second -> {});

            assertThat(run.offered()).isEqualTo(1_000);
            assertThat(run.completed()).isEqualTo(1_000);
            assertThat(run.failures()).isEmpty();
            assertThat(run.statuses()).containsExactly(Map.entry(200, 1_000L));
            assertThat(run.connectionsOpened()).isEqualTo(5);
            assertThat(run.duration()).isEqualTo(Duration.ofSeconds(2));
            assertThat(run.fromIntended().getTotalCount()).isEqualTo(1_000);
            assertThat(run.scheduleLag().getTotalCount()).isEqualTo(1_000);
            Invariants.hold(run);
        }
    }

    @Test
    void aClosedLoopKeepsEveryConnectionBusy() throws Exception {
        try (NullServer server = NullServer.start(0, 1, 100);
                LoadEngine engine = engine(server, 1, 8)) {
            Measurement run = engine.run(Load.closed(SECOND), second -> {});

            assertThat(run.offered()).isEqualTo(run.sent()).isEqualTo(run.completed());
            assertThat(run.meanInFlight()).isCloseTo(8, within(0.8));
            assertThat(run.littleRatio()).isCloseTo(1, within(0.1));
            assertThat(run.late()).isZero();
            assertThat(run.fromIntended().getMean()).isEqualTo(run.fromSent().getMean());
            Invariants.hold(run);
        }
    }

    @Test
    void aBoundOnRequestsEndsEitherLoop() throws Exception {
        try (NullServer server = NullServer.start(0, 1, 100);
                LoadEngine engine = engine(server, 2, 4)) {
            Measurement closed = engine.run(new Load(Load.Mode.CLOSED, 0, Duration.ofHours(1), 101, 0), second -> {});
            Measurement open =
                    engine.run(new Load(Load.Mode.CONSTANT, 1_000, Duration.ofHours(1), 101, 0), second -> {});

            assertThat(closed.completed()).isEqualTo(101);
            assertThat(open.completed()).isEqualTo(101);
            assertThat(open.duration().toNanos() / 1e6).isCloseTo(101, within(2.0));
            Invariants.hold(closed);
            Invariants.hold(open);
        }
    }

    @Test
    void runsFollowOneAnotherOnTheSameConnections() throws Exception {
        try (NullServer server = NullServer.start(0, 1, 100);
                LoadEngine engine = engine(server, 1, 4)) {
            engine.run(Load.poisson(1_000, Duration.ofMillis(300), 1), second -> {});
            Measurement second = engine.run(Load.poisson(1_000, Duration.ofMillis(300), 2), sample -> {});

            assertThat(second.connectionsOpened()).isZero();
            assertThat(second.completed()).isEqualTo(second.offered()).isPositive();
        }
    }

    @Test
    void tellsOfEachSecondAsItPasses() throws Exception {
        List<SecondSample> told = new CopyOnWriteArrayList<>();
        try (NullServer server = NullServer.start(0, 1, 100);
                LoadEngine engine = engine(server, 1, 4)) {
            Measurement run = engine.run(Load.constant(200, Duration.ofMillis(2_500)), told::add);

            assertThat(told).extracting(SecondSample::second).startsWith(0, 1);
            assertThat(told.getFirst().offered()).isEqualTo(200);
            assertThat(run.seconds()).extracting(SecondSample::offered).startsWith(200L, 200L, 100L);
        }
    }

    @Test
    void saysThatTheLoadBeginsOnceTheConnectionsAreMadeAndBeforeTheFirstRequest() throws Exception {
        AtomicInteger requests = new AtomicInteger();
        AtomicInteger connectedAtBegin = new AtomicInteger();
        AtomicInteger requestsAtBegin = new AtomicInteger(-1);
        try (StubServer server = new StubServer(client -> {
                    while (client.request()) {
                        requests.incrementAndGet();
                        client.send(StubServer.OK);
                    }
                });
                LoadEngine engine = new LoadEngine(EngineConfig.of(server.address(), 3, Requests.get()))) {
            Measurement run = engine.run(
                    new Load(Load.Mode.CONSTANT, 1_000, Duration.ofMillis(100), Long.MAX_VALUE, 0),
                    () -> {
                        connectedAtBegin.set(acceptedWithin(Duration.ofSeconds(5), 3, server));
                        requestsAtBegin.set(requests.get());
                    },
                    second -> {});

            assertThat(connectedAtBegin).hasValue(3);
            assertThat(requestsAtBegin).hasValue(0);
            assertThat(run.completed()).isEqualTo(100);
        }
    }

    // The system completes a connection before the server has accepted it.
    private static int acceptedWithin(Duration patience, int wanted, StubServer server) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (server.accepted() < wanted && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        return server.accepted();
    }

    @Test
    void stopEndsARunAndKeepsWhatWasMeasured() throws Exception {
        try (NullServer server = NullServer.start(0, 1, 100);
                LoadEngine engine = engine(server, 2, 4)) {
            Measurement run = engine.run(Load.constant(1_000, Duration.ofHours(1)), second -> engine.stop());

            assertThat(run.duration()).isBetween(SECOND, Duration.ofSeconds(30));
            assertThat(run.completed()).isPositive();
            Invariants.hold(run);
        }
    }

    @Test
    void finishEndsTheScheduleAndStillAnswersWhatIsDue() throws Exception {
        try (NullServer server = NullServer.start(0, 1, 100);
                LoadEngine engine = engine(server, 2, 4)) {
            Measurement run = engine.run(Load.constant(1_000, Duration.ofHours(1)), second -> engine.finish());

            assertThat(run.duration()).isBetween(SECOND, Duration.ofSeconds(30));
            assertThat(run.completed()).isEqualTo(run.offered());
            Invariants.hold(run);
        }
    }

    @Test
    void whereNothingListensEveryRequestFailsToConnect() throws Exception {
        try (SilentPort port = SilentPort.take();
                LoadEngine engine = new LoadEngine(EngineConfig.of(Requests.at(port.number()), 4, Requests.get()))) {
            Measurement open = engine.run(Load.constant(200, SECOND), second -> {});
            Measurement closed = engine.run(Load.closed(Duration.ofMillis(500)), second -> {});

            assertThat(open.failures()).containsExactly(Map.entry(FailureKind.CONNECT, 200L));
            assertThat(open.examples().get(FailureKind.CONNECT)).contains("refused");
            assertThat(closed.failures().get(FailureKind.CONNECT)).isBetween(1L, 30L);
            Invariants.hold(open);
            Invariants.hold(closed);
        }
    }

    @Test
    void responsesToHeadHaveNoBody() throws Exception {
        try (StubServer server = new StubServer(client -> {
                    while (client.request()) {
                        client.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
                    }
                });
                LoadEngine engine = new LoadEngine(EngineConfig.of(server.address(), 1, Requests.head()))) {
            Measurement run = engine.run(Load.constant(100, Duration.ofMillis(200)), second -> {});

            assertThat(run.completed()).isEqualTo(20);
            assertThat(run.connectionsOpened()).isEqualTo(1);
        }
    }

    @Test
    void withoutKeepAliveEachRequestHasItsConnection() throws Exception {
        try (NullServer server = NullServer.start(0, 1, 100);
                LoadEngine engine = new LoadEngine(
                        EngineConfig.of(server.address(), 2, Requests.get()).withKeepAlive(false))) {
            Measurement run = engine.run(Load.constant(100, Duration.ofMillis(200)), second -> {});

            assertThat(run.completed()).isEqualTo(20);
            assertThat(run.connectionsOpened()).isGreaterThanOrEqualTo(20);
        }
    }

    @Test
    void anInterruptedRunIsAbandonedAndTheNextOneIsClean() throws Exception {
        try (NullServer server = NullServer.start(0, 1, 100);
                LoadEngine engine = engine(server, 1, 4)) {
            Thread caller = Thread.currentThread();
            assertThatExceptionOfType(InterruptedException.class)
                    .isThrownBy(
                            () -> engine.run(Load.constant(100, Duration.ofHours(1)), second -> caller.interrupt()));
            Measurement next = engine.run(Load.constant(100, Duration.ofMillis(200)), second -> {});

            assertThat(next.completed()).isEqualTo(20);
            Invariants.hold(next);
        }
    }

    @Test
    void aSourceThatThrowsEndsTheRunWithItsReason() throws Exception {
        try (NullServer server = NullServer.start(0, 1, 100);
                LoadEngine engine = new LoadEngine(EngineConfig.of(server.address(), 1, Requests.broken()))) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> engine.run(Load.constant(100, SECOND), second -> {}))
                    .withMessageContaining("no more requests");
        }
    }

    @Test
    void aProgressListenerThatThrowsDoesNotHarmTheRun() throws Exception {
        try (NullServer server = NullServer.start(0, 1, 100);
                LoadEngine engine = engine(server, 1, 1)) {
            Measurement run = engine.run(Load.constant(10, Duration.ofMillis(1_500)), second -> {
                throw new IllegalArgumentException("planted by the test");
            });

            assertThat(run.completed()).isEqualTo(15);
        }
    }

    @Test
    void aClosedEngineRefusesToRun() throws Exception {
        try (NullServer server = NullServer.start(0, 1, 100)) {
            LoadEngine engine = engine(server, 1, 1);
            engine.close();
            engine.close();

            assertThatIllegalStateException()
                    .isThrownBy(() -> engine.run(Load.closed(SECOND), second -> {}))
                    .withMessageContaining("closed");
        }
    }

    private static LoadEngine engine(NullServer server, int threads, int connections) throws IOException {
        return new LoadEngine(
                EngineConfig.of(server.address(), connections, Requests.get()).withThreads(threads));
    }
}
