package dev.weir.core.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.route.ReplicaSet.State;
import dev.weir.core.route.RouteCounters.Reason;
import java.io.ByteArrayInputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lending, retrying and giving back, on servers that fail as told. No thread watches them. */
class RouterTest {

    private final StubServer primary = new StubServer("primary");
    private final StubServer one = new StubServer("one");
    private final StubServer two = new StubServer("two");
    private final Router router = new Router(
            RouteConfig.defaults().withReplayWait(Duration.ZERO).withFallback(1, Duration.ZERO),
            primary,
            List.of(one, two),
            List.of(1.0, 1.0),
            () -> 0);

    @BeforeEach
    void serve() {
        router.replicas().primaryAt(100, 0);
        router.replicas().sampled(0, 100, true, 0);
        router.replicas().sampled(1, 100, true, 0);
    }

    @Test
    void aFirstStatementThatFindsItsReplicaGoneIsMadeAgainOnTheOther() throws SQLException {
        one.failures.add(gone());
        two.failures.add(gone());
        try (Connection connection = router.reads().getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement statement = connection.prepareStatement("SELECT ?")) {
                statement.setInt(1, 42);
                statement.executeQuery();
            }
            connection.commit();
        }

        List<String> calls =
                List.of("setAutoCommit[false]", "prepareStatement[SELECT ?]", "setInt[1, 42]", "executeQuery");
        assertThat(one.journal).isEqualTo(calls);
        assertThat(two.journal).isEqualTo(calls);
        assertThat(primary.journal)
                .containsExactlyElementsOf(Stream.concat(
                                Stream.of("setReadOnly[true]"), Stream.concat(calls.stream(), Stream.of("commit")))
                        .toList());
        assertThat(router.counters().primaryReads(Reason.RETRY)).isEqualTo(1);
        assertThat(one.evicted + two.evicted).isEqualTo(2);
        assertNothingIsHeld();
    }

    @Test
    void thePrimaryHasItsShareOfTheReadsWhereItIsGivenAWeight() throws SQLException {
        Router sharing = sharing();
        List<Connection> open = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            open.add(sharing.reads().getConnection());
            query(open.getLast(), "SELECT 1");
        }
        // Two draws, and the one with less at work, keep the three within a few of each other.
        assertThat(sharing.counters().primaryReads(Reason.SHARE)).isBetween(85L, 115L);
        assertThat(primary.journal).contains("setReadOnly[true]");
        for (Connection connection : open) {
            connection.close();
        }
        query(sharing.reads().getConnection());
        assertThat(primary.opened).isEqualTo(primary.closed);
    }

    @Test
    void aReadInThePrimarysShareThatFindsItGoneIsMadeAgainAndHeldOnce() throws SQLException {
        Router sharing = sharing();
        sharing.replicas().failed(0, 0);
        sharing.replicas().failed(0, 0);
        primary.failures.add(gone());
        for (int i = 0; i < 1000; i++) {
            query(sharing.reads().getConnection());
        }
        assertThat(primary.failures).isEmpty();
        // Half of them, as nothing else is at work; 100 are six standard deviations.
        assertThat(sharing.counters().primaryReads(Reason.SHARE)).isBetween(400L, 600L);
    }

    @Test
    void withoutAWeightNoReadTakesThePrimary() throws SQLException {
        for (int i = 0; i < 100; i++) {
            query(router.reads().getConnection());
        }
        assertThat(primary.opened).isZero();
    }

    private Router sharing() {
        Router sharing = new Router(
                RouteConfig.defaults().withPrimaryWeight(1), primary, List.of(one, two), List.of(1.0, 1.0), () -> 0);
        sharing.replicas().primaryAt(100, 0);
        sharing.replicas().sampled(0, 100, true, 0);
        sharing.replicas().sampled(1, 100, true, 0);
        return sharing;
    }

    @Test
    void aReplicaThatFailsTwiceIsOutAndTheNextReadDoesNotMeetIt() throws SQLException {
        router.replicas().failed(0, 0);
        one.failures.add(gone());
        for (int i = 0; i < 20; i++) {
            query(router.reads().getConnection());
        }
        assertThat(router.replicas().view(0).state()).isEqualTo(State.FAILED);
        assertThat(router.counters().ejections(0)).isEqualTo(1);
        assertThat(one.failures).isEmpty();
        assertNothingIsHeld();
    }

    @Test
    void afterAStatementHasSucceededFailuresAreTheCallers() throws SQLException {
        for (StubServer server : List.of(one, two)) {
            server.failures.clear();
        }
        try (Connection connection = router.reads().getConnection()) {
            query(connection, "SELECT 1");
            one.failures.add(gone());
            two.failures.add(gone());
            assertThatThrownBy(() -> query(connection, "SELECT 2")).hasMessage("gone");
        }
        assertThat(primary.opened).isZero();
        assertNothingIsHeld();
    }

    @ParameterizedTest
    @ValueSource(strings = {"23505", "57014", "25P02", "42601"})
    void aFailureOfTheStatementItselfIsNotRepeated(String state) throws SQLException {
        one.failures.add(new SQLException("no", state));
        two.failures.add(new SQLException("no", state));
        try (Connection connection = router.reads().getConnection()) {
            assertThatThrownBy(() -> query(connection, "SELECT 1")).hasMessage("no");
        }
        assertThat(one.opened + two.opened).isEqualTo(1);
        assertNothingIsHeld();
    }

    @Test
    void aStatementCancelledByReplayGoesElsewhereAndTheReplicaStays() throws SQLException {
        one.failures.add(new SQLException("conflict with recovery", "40001"));
        two.failures.add(new SQLException("conflict with recovery", "40001"));
        query(router.reads().getConnection());
        assertThat(primary.journal).contains("execute[SELECT 1]");
        assertThat(router.replicas().view(0).state()).isEqualTo(State.SERVING);
        assertThat(router.replicas().view(1).state()).isEqualTo(State.SERVING);
        assertNothingIsHeld();
    }

    @Test
    void theFirstStatementOfAWritingTransactionIsMadeAgainOnAFreshConnection() throws SQLException {
        primary.failures.add(gone());
        primary.failures.add(gone());
        try (Connection connection = router.writes().getConnection()) {
            connection.setAutoCommit(false);
            query(connection, "UPDATE 1");
            connection.commit();
        }
        assertThat(primary.opened).isEqualTo(3);
        assertThat(router.counters().retriedWrites()).isEqualTo(2);
        assertThat(primary.evicted).isEqualTo(1);
        assertNothingIsHeld();
    }

    @Test
    void whatWasDoneWithTheDriversOwnConnectionIsNotLostByMoving() throws SQLException {
        try (Connection connection = router.writes().getConnection()) {
            connection.setAutoCommit(false);
            connection.unwrap(Object.class);
            primary.failures.add(gone());
            assertThatThrownBy(() -> query(connection, "UPDATE 1")).hasMessage("gone");
        }
        assertThat(primary.opened).isEqualTo(1);
        assertNothingIsHeld();
    }

    @Test
    void aPoolThatBreaksCountsNoRead() {
        one.chance = () -> {
            throw new IllegalStateException("pool");
        };
        two.chance = one.chance;
        assertThatThrownBy(() -> router.reads().getConnection()).hasMessage("pool");
        assertThat(router.replicas().active(0) + router.replicas().active(1)).isZero();
    }

    @Test
    void aWriteWithAutoCommitIsNeverMadeTwice() throws SQLException {
        primary.failures.add(gone());
        try (Connection connection = router.writes().getConnection()) {
            assertThatThrownBy(() -> query(connection, "UPDATE 1")).hasMessage("gone");
        }
        assertThat(primary.opened).isEqualTo(1);
        assertNothingIsHeld();
    }

    @Test
    void aStatementWithAStreamIsNotMadeAgain() throws SQLException {
        one.failures.add(gone());
        two.failures.add(gone());
        try (Connection connection = router.reads().getConnection();
                PreparedStatement statement = connection.prepareStatement("SELECT ?")) {
            statement.setBinaryStream(1, new ByteArrayInputStream(new byte[1]));
            assertThatThrownBy(statement::executeQuery).hasMessage("gone");
        }
        assertNothingIsHeld();
    }

    @Test
    void withTwoStatementsOpenNothingIsMadeAgain() throws SQLException {
        one.failures.add(gone());
        two.failures.add(gone());
        try (Connection connection = router.reads().getConnection();
                Statement first = connection.createStatement();
                Statement second = connection.createStatement()) {
            assertThat(first).isNotSameAs(second);
            assertThatThrownBy(() -> second.execute("SELECT 1")).hasMessage("gone");
        }
        assertNothingIsHeld();
    }

    @Test
    void aStatementKnowsTheConnectionItCameFrom() throws SQLException {
        try (Connection connection = router.reads().getConnection();
                Statement statement = connection.createStatement()) {
            assertThat(statement.getConnection()).isSameAs(connection);
            assertThat(connection).isEqualTo(statement.getConnection()).isNotEqualTo(statement);
            assertThat(connection.hashCode())
                    .isEqualTo(statement.getConnection().hashCode());
        }
    }

    @Test
    void anOpenReadIsKnownToItsThreadWhileItLeadsToAReplica() throws Exception {
        assertThat(OpenReads.onReplica()).isFalse();
        Connection connection = router.reads().getConnection();
        assertThat(OpenReads.onReplica()).isTrue();
        PrimaryScope.run(() -> assertThat(OpenReads.onReplica()).isTrue());
        connection.close();
        assertThat(OpenReads.onReplica()).isFalse();

        boolean inScope = PrimaryScope.call(() -> {
            try (Connection onPrimary = router.reads().getConnection()) {
                assertThat(onPrimary).isNotNull();
                return OpenReads.onReplica();
            }
        });
        assertThat(inScope).isFalse();
        try (Connection writing = router.writes().getConnection()) {
            assertThat(writing).isNotNull();
            assertThat(OpenReads.onReplica()).isFalse();
        }
    }

    @Test
    void anOpenReadThatMovedToThePrimaryOrWasClosedElsewhereIsOnNoReplica() throws Exception {
        one.failures.add(gone());
        two.failures.add(gone());
        try (Connection connection = router.reads().getConnection()) {
            query(connection, "SELECT 1");
            assertThat(OpenReads.onReplica()).isFalse();
        }
        router.replicas().sampled(0, 100, true, 0);
        router.replicas().sampled(1, 100, true, 0);
        Connection elsewhere = router.reads().getConnection();
        assertThat(OpenReads.onReplica()).isTrue();
        var closing = new FutureTask<>(() -> {
            elsewhere.close();
            return true;
        });
        Thread.ofVirtual().start(closing);
        assertThat(closing.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(OpenReads.onReplica()).isFalse();
        assertNothingIsHeld();
    }

    @Test
    void theGateForReadsThatFallBackIsGivenBackWhenThePrimaryFailsAsWell() throws SQLException {
        router.replicas().failed(0, 0);
        router.replicas().failed(0, 0);
        router.replicas().failed(1, 0);
        router.replicas().failed(1, 0);
        primary.chance = RouterTest::gone;
        assertThatThrownBy(() -> router.reads().getConnection()).hasMessage("gone");
        primary.chance = () -> null;
        query(router.reads().getConnection());
        assertThat(router.counters().primaryReads(Reason.NO_REPLICA)).isEqualTo(1);
        assertNothingIsHeld();
    }

    @Test
    void aReadThatFindsAllPoolsFullAndThePrimaryTakenIsToldSo() throws SQLException {
        one.chance = RouterTest::full;
        two.chance = RouterTest::full;
        try (Connection onPrimary = router.reads().getConnection()) {
            assertThat(onPrimary).isNotNull();
            assertThatThrownBy(() -> router.reads().getConnection())
                    .isInstanceOf(ReplicasUnavailableException.class)
                    .hasMessage(
                            "No replica can take this read, since all connections of the replicas' pools are in use and none was"
                                    + " given back within their connection-timeout, and 1 of these are on primary already, all that"
                                    + " weir.route.fallback.max-concurrent allows. Try again later.");
        }
        assertThat(router.counters().primaryReads(Reason.POOL_FULL)).isEqualTo(1);
        assertThat(router.counters().primaryReads(Reason.RETRY)).isZero();
        assertThat(router.replicas().view(0).state()).isEqualTo(State.SERVING);
        assertNothingIsHeld();
    }

    /** As a pool says it: there is no broken connection behind it. */
    private static SQLException full() {
        return new SQLTransientConnectionException("Connection is not available, request timed out");
    }

    @Test
    void theSessionLearnsThePositionOfACommitAndNobodyElseAsks() throws SQLException {
        try (Connection connection = router.writes().getConnection()) {
            connection.setAutoCommit(false);
            query(connection, "UPDATE 1");
            connection.commit();
        }
        assertThat(primary.journal).noneMatch(call -> call.contains("pg_current_wal_insert_lsn"));

        var session = new RouteSession(Lsn.NONE, lsn -> {});
        try (var bound = session.open();
                Connection connection = router.writes().getConnection()) {
            assertThat(bound).isNotNull();
            connection.setAutoCommit(false);
            query(connection, "UPDATE 1");
            assertThat(session.neededLsn()).isEqualTo(Lsn.NONE);
            connection.commit();
            assertThat(session.neededLsn()).isEqualTo(Lsn.parse("0/3000100"));
            assertThat(connection.getAutoCommit()).isFalse();
        }
    }

    @Test
    void aReadWhoseServerGoesBeforeItsCommitHasReadAll() throws SQLException {
        try (Connection connection = router.reads().getConnection()) {
            connection.setAutoCommit(false);
            query(connection, "SELECT 1");
            one.chance = RouterTest::gone;
            two.chance = RouterTest::gone;
            connection.commit();
        }
        assertThat(one.evicted + two.evicted).isEqualTo(1);
        assertNothingIsHeld();
    }

    @Test
    void aWriteWhoseServerGoesInItsCommitFails() throws SQLException {
        try (Connection connection = router.writes().getConnection()) {
            connection.setAutoCommit(false);
            query(connection, "UPDATE 1");
            primary.chance = RouterTest::gone;
            assertThatThrownBy(connection::commit).hasMessage("gone");
        }
        assertNothingIsHeld();
    }

    @Test
    void aRolledBackTransactionIsNoWriteOfTheSession() throws SQLException {
        var session = new RouteSession(Lsn.NONE, lsn -> {});
        try (var bound = session.open();
                Connection connection = router.writes().getConnection()) {
            assertThat(bound).isNotNull();
            connection.setAutoCommit(false);
            query(connection, "UPDATE 1");
            connection.rollback();
        }
        assertThat(session.neededLsn()).isEqualTo(Lsn.NONE);
    }

    @Test
    void switchingAutoCommitOnIsACommitToo() throws SQLException {
        var session = new RouteSession(Lsn.NONE, lsn -> {});
        try (var bound = session.open();
                Connection connection = router.writes().getConnection()) {
            assertThat(bound).isNotNull();
            connection.setAutoCommit(false);
            query(connection, "UPDATE 1");
            connection.setAutoCommit(true);
            assertThat(session.neededLsn()).isPositive();
        }
    }

    @Test
    void aCommitWhosePositionIsUnknownIsStillACommitAndItsSessionReadsFromThePrimary() throws SQLException {
        var session = new RouteSession(Lsn.NONE, lsn -> {});
        try (var bound = session.open();
                Connection connection = router.writes().getConnection()) {
            assertThat(bound).isNotNull();
            connection.setAutoCommit(false);
            query(connection, "UPDATE 1");
            primary.failures.add(gone());
            connection.commit();
        }
        assertThat(session.neededLsn()).isEqualTo(Lsn.PRIMARY_ONLY);
        assertThat(router.counters().unknownPositions()).isEqualTo(1);
        assertNothingIsHeld();
    }

    @Test
    void whateverFailsNothingStaysLent() {
        for (int seed = 0; seed < 300; seed++) {
            var random = new SplittableRandom(seed);
            for (StubServer server : List.of(primary, one, two)) {
                server.chance = () -> random.nextInt(6) == 0 ? failure(random) : null;
            }
            for (int i = 0; i < 20; i++) {
                transaction(random);
            }
            assertNothingIsHeld();
            router.replicas().sampled(0, 100, true, 0);
            router.replicas().sampled(1, 100, true, 0);
        }
        assertThat(router.counters().primaryReads(Reason.RETRY)).isPositive();
        assertThat(router.counters().retriedWrites()).isPositive();
    }

    private void transaction(SplittableRandom random) {
        boolean reads = random.nextBoolean();
        try (Connection connection = (reads ? router.reads() : router.writes()).getConnection()) {
            connection.setAutoCommit(random.nextBoolean());
            int statements = random.nextInt(3);
            for (int i = 0; i < statements; i++) {
                query(connection, "SELECT 1");
            }
            if (random.nextBoolean()) {
                connection.commit();
            }
        } catch (SQLException e) {
            assertThat(e.getMessage()).matches("gone|no|conflict|No replica can take.*");
        }
    }

    private static SQLException failure(SplittableRandom random) {
        return switch (random.nextInt(3)) {
            case 0 -> new SQLException("no", "23505");
            case 1 -> new SQLException("conflict", "40001");
            default -> gone();
        };
    }

    private static SQLException gone() {
        return new SQLException("gone", "08006");
    }

    private static void query(Connection connection) throws SQLException {
        try (connection) {
            query(connection, "SELECT 1");
        }
    }

    private static void query(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private void assertNothingIsHeld() {
        List<Integer> held = new ArrayList<>();
        for (StubServer server : List.of(primary, one, two)) {
            held.add(server.opened - server.closed);
        }
        assertThat(held).as("connections not given back").containsExactly(0, 0, 0);
        assertThat(router.replicas().active(0)).isZero();
        assertThat(router.replicas().active(1)).isZero();
        assertThat(router.fallbacksInUse()).isZero();
    }
}
