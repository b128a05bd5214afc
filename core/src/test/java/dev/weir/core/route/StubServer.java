package dev.weir.core.route;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A server whose connections fail as told and write down what was called. */
final class StubServer implements PooledServer {

    final List<String> journal = new ArrayList<>();

    /** Failures of executions to come, in order; when empty, all succeed. */
    final Deque<SQLException> failures = new ArrayDeque<>();

    /** Asked at each call but close; what it answers is thrown. */
    Supplier<@Nullable SQLException> chance = () -> null;

    int opened;
    int closed;
    int evicted;
    private final String name;
    private final DataSource pool = proxy(DataSource.class, this::ofPool);

    StubServer(String name) {
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public DataSource pool() {
        return pool;
    }

    @Override
    public Connection connect(int timeoutMillis) throws SQLException {
        throw new SQLException("not asked in these tests");
    }

    @Override
    public void evict() {
        evicted++;
    }

    private @Nullable Object ofPool(Object self, Method method, @Nullable Object @Nullable [] arguments)
            throws SQLException {
        mayFail();
        opened++;
        return proxy(Connection.class, new ConnectionCalls());
    }

    private void mayFail() throws SQLException {
        SQLException failure = chance.get();
        if (failure != null) {
            throw failure;
        }
    }

    private void failIfTold() throws SQLException {
        SQLException failure = failures.poll();
        if (failure != null) {
            throw failure;
        }
        mayFail();
    }

    private void write(Method method, @Nullable Object @Nullable [] arguments) {
        journal.add(method.getName() + (arguments == null ? "" : List.of(arguments)));
    }

    private final class ConnectionCalls implements InvocationHandler {
        private boolean autoCommit = true;
        private boolean over;

        @Override
        public @Nullable Object invoke(Object self, Method method, @Nullable Object @Nullable [] arguments)
                throws SQLException {
            if (method.getName().equals("close")) {
                closed += over ? 0 : 1;
                over = true;
                return null;
            }
            if (method.getName().equals("getAutoCommit")) {
                return autoCommit;
            }
            write(method, arguments);
            mayFail();
            return switch (method.getName()) {
                case "setAutoCommit" -> {
                    autoCommit = arguments != null && Boolean.TRUE.equals(arguments[0]);
                    yield null;
                }
                case "createStatement" -> proxy(Statement.class, this::ofStatement);
                case "prepareStatement" -> proxy(PreparedStatement.class, this::ofStatement);
                default -> null;
            };
        }

        private @Nullable Object ofStatement(Object self, Method method, @Nullable Object @Nullable [] arguments)
                throws SQLException {
            if (method.getName().equals("close")) {
                return null;
            }
            write(method, arguments);
            if (method.getName().startsWith("execute")) {
                failIfTold();
            }
            return switch (method.getName()) {
                case "executeUpdate" -> 1;
                case "execute" -> false;
                case "executeQuery" -> proxy(ResultSet.class, StubServer.this::ofResult);
                default -> null;
            };
        }
    }

    private @Nullable Object ofResult(Object self, Method method, @Nullable Object @Nullable [] arguments) {
        return switch (method.getName()) {
            case "next" -> true;
            case "getString" -> "0/3000100";
            case "getLong" -> 8192L;
            default -> null;
        };
    }

    private static <T> T proxy(Class<T> type, InvocationHandler calls) {
        return type.cast(Proxy.newProxyInstance(StubServer.class.getClassLoader(), new Class<?>[] {type}, calls));
    }
}
