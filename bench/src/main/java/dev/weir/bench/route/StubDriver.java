package dev.weir.bench.route;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import javax.sql.DataSource;

/** A driver that answers every query at once with one row: what is left is the cost of what lies above it. */
final class StubDriver {

    private StubDriver() {}

    static DataSource dataSource() {
        return proxy(DataSource.class, (self, method, arguments) -> switch (method.getName()) {
            case "getConnection" -> connection();
            case "getLoginTimeout" -> 0;
            case "hashCode" -> 1;
            case "equals" -> false;
            case "toString" -> "stub";
            default -> null;
        });
    }

    private static Connection connection() {
        PreparedStatement statement = statement();
        return proxy(Connection.class, (self, method, arguments) -> switch (method.getName()) {
            case "prepareStatement" -> statement;
            case "getAutoCommit", "isValid" -> true;
            case "isReadOnly", "isClosed" -> false;
            case "getTransactionIsolation" -> Connection.TRANSACTION_READ_COMMITTED;
            case "getNetworkTimeout" -> 0;
            case "hashCode" -> System.identityHashCode(self);
            case "equals" -> false;
            case "toString" -> "stub connection";
            default -> null;
        });
    }

    private static PreparedStatement statement() {
        ResultSet row = proxy(ResultSet.class, (self, method, arguments) -> switch (method.getName()) {
            case "next" -> true;
            case "getLong" -> 1L;
            default -> null;
        });
        return proxy(PreparedStatement.class, (self, method, arguments) -> switch (method.getName()) {
            case "executeQuery" -> row;
            case "isClosed", "isCloseOnCompletion" -> false;
            case "hashCode" -> System.identityHashCode(self);
            case "equals" -> false;
            default -> null;
        });
    }

    private static <T> T proxy(Class<T> type, InvocationHandler calls) {
        return type.cast(Proxy.newProxyInstance(StubDriver.class.getClassLoader(), new Class<?>[] {type}, calls));
    }
}
