package dev.weir.core.route;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A statement of a {@link GuardedConnection}: made again on another connection when its first execution finds the server gone. */
final class GuardedStatement implements InvocationHandler {

    /** A larger batch is not worth its memory twice. */
    private static final int MOST_CALLS = 1000;

    private final GuardedConnection connection;
    private final Call creation;
    private final Object proxy;
    private final List<Call> calls = new ArrayList<>(4);
    private volatile Object target;
    private boolean closed;

    GuardedStatement(
            GuardedConnection connection, Class<? extends Statement> type, Call creation, @Nullable Object target) {
        this.connection = connection;
        this.creation = creation;
        this.target = Objects.requireNonNull(target, "The JDBC driver made no statement.");
        this.proxy = Proxy.newProxyInstance(GuardedStatement.class.getClassLoader(), new Class<?>[] {type}, this);
    }

    Object proxy() {
        return proxy;
    }

    @Override
    public @Nullable Object invoke(Object self, Method method, @Nullable Object @Nullable [] arguments)
            throws SQLException {
        String name = method.getName();
        if (name.startsWith("execute")) {
            return execute(new Call(method, arguments));
        }
        return switch (name) {
            case "close" -> close(method);
            case "getConnection" -> connection.proxy();
            case "equals" -> Call.isOnItself(self, arguments);
            case "hashCode" -> System.identityHashCode(self);
            default -> pass(method, arguments);
        };
    }

    private @Nullable Object close(Method method) throws SQLException {
        if (!closed) {
            closed = true;
            connection.statementClosed();
        }
        return Call.invoke(target, method, null);
    }

    private @Nullable Object pass(Method method, @Nullable Object @Nullable [] arguments) throws SQLException {
        if (!connection.isSettled() && method.getReturnType() == void.class && calls.size() <= MOST_CALLS) {
            calls.add(new Call(method, arguments));
        }
        return Call.invoke(target, method, arguments);
    }

    private @Nullable Object execute(Call call) throws SQLException {
        while (true) {
            try {
                Object result = call.on(target);
                connection.succeeded();
                return result;
            } catch (SQLException e) {
                if (!isRepeatable() || !moved(e)) {
                    throw connection.explained(e);
                }
            }
        }
    }

    private boolean isRepeatable() {
        return connection.mayRepeat()
                && calls.size() <= MOST_CALLS
                && calls.stream().allMatch(Call::isRepeatable);
    }

    private boolean moved(SQLException failure) throws SQLException {
        if (!connection.moved(failure)) {
            return false;
        }
        target = Objects.requireNonNull(connection.again(creation), "The JDBC driver made no statement.");
        for (Call call : calls) {
            call.on(target);
        }
        return true;
    }
}
