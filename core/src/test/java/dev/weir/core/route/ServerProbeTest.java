package dev.weir.core.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.route.ServerProbe.Answer;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Single rounds, on a clock that moves while the server answers. */
class ServerProbeTest {

    private final List<Answer> answers = new ArrayList<>();
    private final List<Exception> failures = new ArrayList<>();
    private final SlowServer server = new SlowServer();
    private long nowNanos;

    private final ServerProbe probe =
            new ServerProbe(server, false, RouteConfig.defaults(), () -> nowNanos, new ServerProbe.Listener() {
                @Override
                public void answered(Answer answer) {
                    answers.add(answer);
                }

                @Override
                public void failed(Exception cause) {
                    failures.add(cause);
                }
            });

    @Test
    void aRoundHasOneTimeoutForAllOfItsQuestions() {
        server.millisAnAnswer = 450;
        probe.round();
        assertThat(failures).isEmpty();
        assertThat(server.timeouts)
                .as("what is left for connecting, who, which cluster, where")
                .containsExactly(2000, 1550, 1100, 650);
    }

    @Test
    void aRoundThatTakesLongerThanItsTimeoutIsAFailure() {
        server.millisAnAnswer = 600;
        probe.round();
        assertThat(answers).isEmpty();
        assertThat(failures)
                .singleElement()
                .isInstanceOf(SQLTimeoutException.class)
                .asString()
                .contains("slow did not tell its position within 2000 ms (sample-timeout).");
        assertThat(server.closed).isEqualTo(1);
    }

    @Test
    void aPositionIsToldWithTheTimeAtWhichItWasAskedFor() {
        server.millisAnAnswer = 100;
        probe.round();
        probe.round();
        assertThat(answers)
                .extracting(answer -> TimeUnit.NANOSECONDS.toMillis(answer.askedNanos()))
                .containsExactly(300L, 400L);
    }

    @Test
    void whatAServerTellsOfItselfIsTold() {
        probe.round();
        assertThat(answers)
                .containsExactly(
                        new Answer(0, Lsn.parse("0/3000100"), Lsn.parse("0/3000200"), false, false, "74638191"));
    }

    @Test
    void aServerThatKeepsItsClusterToItselfIsWatchedAllTheSame() {
        server.clusterFailure = new SQLException("permission denied for function pg_control_system", "42501");
        probe.round();
        assertThat(answers).singleElement().extracting(Answer::cluster).isEqualTo("");
    }

    @Test
    void aServerThatFailsWhileItTellsItsClusterHasFailed() {
        server.clusterFailure = new SQLException("gone", "08006");
        probe.round();
        assertThat(failures).singleElement().isSameAs(server.clusterFailure);
    }

    @Test
    void theBoundsOfTheAddressDoNotWin() {
        assertThat(HikariServer.bounded("jdbc:postgresql://one/shop?socketTimeout=0", 250))
                .isEqualTo("jdbc:postgresql://one/shop?socketTimeout=0"
                        + "&loginTimeout=0.25&connectTimeout=1&socketTimeout=1");
        assertThat(HikariServer.bounded("jdbc:postgresql://one/shop", 2000))
                .isEqualTo("jdbc:postgresql://one/shop?loginTimeout=2.0&connectTimeout=2&socketTimeout=2");
    }

    private final class SlowServer implements PooledServer {
        private final List<Integer> timeouts = new ArrayList<>();
        private int millisAnAnswer;
        private int closed;
        private @Nullable SQLException clusterFailure;

        @Override
        public String name() {
            return "slow";
        }

        @Override
        public DataSource pool() {
            throw new UnsupportedOperationException("A probe has a connection of its own.");
        }

        @Override
        public Connection connect(int timeoutMillis) {
            timeouts.add(timeoutMillis);
            takeTime();
            return proxy(Connection.class, this::ofConnection);
        }

        @Override
        public void evict() {}

        private void takeTime() {
            nowNanos += Duration.ofMillis(millisAnAnswer).toNanos();
        }

        private @Nullable Object ofConnection(Object self, Method method, @Nullable Object @Nullable [] arguments) {
            switch (method.getName()) {
                case "createStatement" -> {
                    return proxy(Statement.class, this::ofStatement);
                }
                case "setNetworkTimeout" -> timeouts.add(arguments == null ? 0 : (Integer) arguments[1]);
                case "close" -> closed++;
                default -> throw new UnsupportedOperationException(method.getName());
            }
            return null;
        }

        private @Nullable Object ofStatement(Object self, Method method, @Nullable Object @Nullable [] arguments)
                throws SQLException {
            if (!method.getName().equals("executeQuery")) {
                return null;
            }
            String question = String.valueOf(arguments == null ? "" : arguments[0]);
            takeTime();
            if (question.contains("pg_control_system")) {
                if (clusterFailure != null) {
                    throw clusterFailure;
                }
                return proxy(
                        ResultSet.class,
                        (result, asked, column) ->
                                "getString".equals(asked.getName()) ? "74638191" : ofResult(result, asked, column));
            }
            return proxy(ResultSet.class, SlowServer::ofResult);
        }

        private static @Nullable Object ofResult(Object self, Method method, @Nullable Object @Nullable [] arguments) {
            return switch (method.getName()) {
                case "next" -> true;
                case "getBoolean" -> false;
                case "getString" ->
                    arguments != null && arguments[0] instanceof Integer i && i == 3 ? "0/3000200" : "0/3000100";
                case "getLong" -> 8192L;
                default -> null;
            };
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler calls) {
        return type.cast(Proxy.newProxyInstance(ServerProbeTest.class.getClassLoader(), new Class<?>[] {type}, calls));
    }
}
