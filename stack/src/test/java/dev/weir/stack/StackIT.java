package dev.weir.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class StackIT {
    private static Stack stack;

    @BeforeAll
    static void start() {
        StackConfig config = TestStacks.config().withStandbys(2).withPostgresSetting("max_connections", "77");
        stack = Stack.start(config, StackProgress.silent());
    }

    @AfterAll
    static void stop() {
        stack.close();
        stack.close();
        assertThat(stack.servers()).hasSize(4).noneMatch(Server::isRunning);
        assertThat(stack.folder()).doesNotExist();
    }

    @Test
    void aWriteOnThePrimaryAppearsOnTheStandby() throws Exception {
        update("CREATE TABLE replicated AS SELECT 42 AS answer");

        TestStacks.await("row on standby 1", () -> "42".equals(onStandby("SELECT answer FROM replicated")));
        assertThat(onStandby("SELECT pg_is_in_recovery()")).isEqualTo("t");
    }

    @Test
    void commitsAreDurableAndSettingsReachEveryServer() throws SQLException {
        for (String url : List.of(
                stack.postgres().jdbcUrl(), stack.postgres().standbyJdbcUrls().getFirst())) {
            assertThat(query(url, "SHOW fsync")).isEqualTo("on");
            assertThat(query(url, "SHOW synchronous_commit")).isEqualTo("on");
            assertThat(query(url, "SHOW full_page_writes")).isEqualTo("on");
            assertThat(query(url, "SHOW max_connections")).isEqualTo("77");
            assertThat(query(url, "SHOW server_version")).startsWith("18");
        }
    }

    @Test
    void aWrongPasswordIsRefused() {
        assertThatThrownBy(() -> DriverManager.getConnection(
                        stack.postgres().jdbcUrl(), stack.postgres().user(), "wrong"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("password authentication failed");
    }

    @Test
    void redisAnswersPing() {
        assertThat(Redis.answers(stack.redis().port())).isTrue();
    }

    @Test
    void aStandbyFallsBehindWhileReplayIsPaused() throws Exception {
        update("CREATE TABLE lagging AS SELECT 1 AS version");
        TestStacks.await("table on standby 1", () -> "1".equals(onStandby("SELECT version FROM lagging")));

        stack.postgres().pauseReplay(1);
        update("UPDATE lagging SET version = 2");
        TestStacks.await("paused", () -> "paused".equals(onStandby("SELECT pg_get_wal_replay_pause_state()")));
        assertThat(onStandby("SELECT version FROM lagging")).isEqualTo("1");

        stack.postgres().resumeReplay(1);
        TestStacks.await("caught up", () -> "2".equals(onStandby("SELECT version FROM lagging")));
    }

    @Test
    void aKilledRedisIsReportedUntilItIsStartedAgain() throws Exception {
        Server redis = stack.redis().server();
        ProcessHandle.of(redis.pid()).orElseThrow().destroyForcibly();
        TestStacks.await("failure told", () -> stack.failure().isPresent());
        assertThat(stack.failure()).get().asString().startsWith("Redis ended by itself");

        redis.start(TestStacks.START_TIMEOUT);

        assertThat(Redis.answers(stack.redis().port())).isTrue();
        assertThat(stack.failure()).isEmpty();
    }

    @Test
    void aPromotedStandbyTakesWritesAndSurvivesAKill() throws Exception {
        Server standby = stack.postgres().standbys().get(1);
        String url = stack.postgres().standbyJdbcUrls().get(1);
        stack.postgres().promote(2);
        try (Connection connection = connect(url);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE promoted AS SELECT 1 AS one");
        }

        standby.kill();
        assertThat(standby.isRunning()).isFalse();
        assertThat(stack.failure()).isEmpty();
        assertThatThrownBy(() -> connect(url)).isInstanceOf(SQLException.class);
    }

    @Test
    void anUnknownStandbyIsNamed() {
        assertThatThrownBy(() -> stack.postgres().pauseReplay(3))
                .hasMessage("There is no standby 3; this stack has 2, numbered from 1.");
    }

    @Test
    void aTakenPortIsNamedAndNothingStaysBehind() throws Exception {
        List<RunFile> before = TestStacks.runs().running();
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            StackConfig config = TestStacks.config().withPorts(new PortPlan(0, 0, taken.getLocalPort(), 0));

            assertThatThrownBy(() -> Stack.start(config, StackProgress.silent()))
                    .isInstanceOf(StackException.class)
                    .hasMessage(
                            "Port %d for Redis is taken by another process: choose another with --port-redis,"
                                    + " or leave it out and a free one is chosen.",
                            taken.getLocalPort());
        }
        assertThat(ids(TestStacks.runs().running())).isEqualTo(ids(before));
    }

    @Test
    void aRefusedSettingIsNamedAndNothingStaysBehind() {
        List<RunFile> before = TestStacks.runs().running();
        StackConfig config = TestStacks.config().withStandbys(0).withPostgresSetting("max_connections", "many");

        assertThatThrownBy(() -> Stack.start(config, StackProgress.silent()))
                .isInstanceOf(StackException.class)
                .hasMessageStartingWith(
                        "PostgreSQL (primary) refuses a setting: invalid value for parameter \"max_connections\"");
        assertThat(ids(TestStacks.runs().running())).isEqualTo(ids(before));
    }

    @Test
    void twoStartsAtOnceDoNotCollide() throws Exception {
        StackConfig config = TestStacks.config().withStandbys(0);
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            Future<Stack> first = threads.submit(() -> Stack.start(config, StackProgress.silent()));
            Future<Stack> second = threads.submit(() -> Stack.start(config, StackProgress.silent()));
            try (Stack one = first.get();
                    Stack two = second.get()) {
                assertThat(query(one.postgres().jdbcUrl(), "SELECT 1")).isEqualTo("1");
                assertThat(query(two.postgres().jdbcUrl(), "SELECT 1")).isEqualTo("1");
                assertThat(one.postgres().jdbcUrl()).isNotEqualTo(two.postgres().jdbcUrl());
            }
        }
    }

    private static List<String> ids(List<RunFile> runs) {
        return runs.stream().map(RunFile::id).toList();
    }

    private static void update(String statement) throws SQLException {
        try (Connection connection = connect(stack.postgres().jdbcUrl());
                Statement call = connection.createStatement()) {
            call.execute(statement);
        }
    }

    /** The answer of standby 1, or the error's text while it lacks the table. */
    private static String onStandby(String query) {
        try {
            return query(stack.postgres().standbyJdbcUrls().getFirst(), query);
        } catch (SQLException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static String query(String url, String query) throws SQLException {
        try (Connection connection = connect(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            return rows.next() ? rows.getString(1) : "no row";
        }
    }

    private static Connection connect(String url) throws SQLException {
        return DriverManager.getConnection(
                url, stack.postgres().user(), stack.postgres().password());
    }
}
