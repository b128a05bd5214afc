package dev.weir.core.watch;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Wrapper;
import org.jspecify.annotations.Nullable;

/**
 * Tells a budget what is done with a connection.
 *
 * <p>Connections and statements are proxies that time what goes to the server: executing, commit and rollback. Of results only
 * those are, whose statement has a fetch size: the others are read whole while the statement executes, and their columns cost nothing
 * more. A proxy's call costs some ten nanoseconds over the plain one.
 */
abstract sealed class WatchedConnection implements InvocationHandler {

    /** The object itself. */
    final Object inner;

    final Budget budget;

    private WatchedConnection(Object inner, Budget budget) {
        this.inner = inner;
        this.budget = budget;
    }

    static Connection of(Connection connection, Budget budget) {
        return proxy(Connection.class, new OfConnection(connection, budget));
    }

    /** The connection that the proxy stands for, or the given one. */
    static Connection inner(Connection connection) {
        return Proxy.isProxyClass(connection.getClass())
                        && Proxy.getInvocationHandler(connection) instanceof OfConnection handler
                ? (Connection) handler.inner
                : connection;
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(WatchedConnection.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    @Override
    public final @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        Class<?> declaring = method.getDeclaringClass();
        if (declaring == Object.class) {
            return ofObject(proxy, method, arguments);
        }
        if (declaring == Wrapper.class && arguments != null && arguments[0] instanceof Class<?> type) {
            return ofWrapper(proxy, method, type);
        }
        return handle(proxy, method, arguments);
    }

    abstract @Nullable Object handle(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable;

    /** A proxy equals itself alone. */
    @SuppressWarnings("ReferenceEquality")
    private Object ofObject(Object proxy, Method method, @Nullable Object @Nullable [] arguments) {
        return switch (method.getName()) {
            case "equals" -> arguments != null && proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> "watched " + inner;
        };
    }

    private Object ofWrapper(Object proxy, Method method, Class<?> type) throws SQLException {
        Wrapper wrapper = (Wrapper) inner;
        boolean own = type.isInstance(proxy);
        if (method.getName().equals("isWrapperFor")) {
            return own || wrapper.isWrapperFor(type);
        }
        return own ? proxy : wrapper.unwrap(type);
    }

    /** Calls the object itself; what it throws comes as it is. */
    final @Nullable Object call(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(inner, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    /** Calls it on the budget. */
    final @Nullable Object timed(Method method, @Nullable Object @Nullable [] arguments, Object what) throws Throwable {
        long begun = budget.begin(Kind.SQL);
        try {
            return call(method, arguments);
        } catch (Throwable e) {
            budget.failed(Kind.SQL, e);
            throw e;
        } finally {
            budget.end(Kind.SQL, begun, what);
        }
    }

    private static final class OfConnection extends WatchedConnection {

        OfConnection(Connection inner, Budget budget) {
            super(inner, budget);
        }

        @Override
        @Nullable
        Object handle(Object proxy, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
            return switch (method.getName()) {
                case "prepareStatement" -> statement(PreparedStatement.class, proxy, method, arguments);
                case "prepareCall" -> statement(CallableStatement.class, proxy, method, arguments);
                case "createStatement" -> statement(Statement.class, proxy, method, arguments);
                case "commit", "rollback" -> timed(method, arguments, method.getName());
                default -> call(method, arguments);
            };
        }

        private Object statement(
                Class<? extends Statement> type, Object proxy, Method method, @Nullable Object @Nullable [] arguments)
                throws Throwable {
            Statement made = (Statement) call(method, arguments);
            String sql = arguments != null && arguments.length > 0 && arguments[0] instanceof String text ? text : "";
            if (made == null) {
                throw new SQLException("The driver made no statement.");
            }
            return proxy(type, new OfStatement(made, budget, proxy, sql));
        }
    }

    private static final class OfStatement extends WatchedConnection {

        private final Object connection;
        private final String prepared;
        private String lastSql;

        OfStatement(Statement inner, Budget budget, Object connection, String prepared) {
            super(inner, budget);
            this.connection = connection;
            this.prepared = prepared;
            this.lastSql = prepared;
        }

        @Override
        @Nullable
        Object handle(Object proxy, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
            String name = method.getName();
            if (name.startsWith("execute")) {
                return execute(method, arguments);
            }
            return switch (name) {
                case "getConnection" -> connection;
                case "addBatch" -> {
                    remember(arguments);
                    yield call(method, arguments);
                }
                case "getMoreResults" -> timed(method, arguments, lastSql);
                case "getResultSet", "getGeneratedKeys" -> result(call(method, arguments));
                default -> call(method, arguments);
            };
        }

        private @Nullable Object execute(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
            remember(arguments);
            budget.query(lastSql);
            return result(timed(method, arguments, lastSql));
        }

        /** Of a statement that is not prepared the text comes with each call. */
        private void remember(@Nullable Object @Nullable [] arguments) {
            if (prepared.isEmpty() && arguments != null && arguments.length > 0 && arguments[0] instanceof String sql) {
                lastSql = sql;
            }
        }

        private @Nullable Object result(@Nullable Object result) throws SQLException {
            return result instanceof ResultSet rows && ((Statement) inner).getFetchSize() > 0
                    ? proxy(ResultSet.class, new OfResult(rows, budget, lastSql))
                    : result;
        }
    }

    private static final class OfResult extends WatchedConnection {

        private final String sql;

        OfResult(ResultSet inner, Budget budget, String sql) {
            super(inner, budget);
            this.sql = sql;
        }

        /** Only what may ask the server for more rows. */
        @Override
        @Nullable
        Object handle(Object proxy, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
            return switch (method.getName()) {
                case "next", "absolute", "relative", "last" -> timed(method, arguments, sql);
                default -> call(method, arguments);
            };
        }
    }
}
