package dev.weir.bench.outbox;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.LongAdder;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Counts statements executed and transactions committed. */
final class CountingDataSource extends DelegatingDataSource {
    private final LongAdder statements = new LongAdder();

    CountingDataSource(DataSource counted) {
        super(counted);
    }

    long statements() {
        return statements.sum();
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = super.getConnection();
        return wrap(Connection.class, (proxy, method, args) -> {
            if (method.getName().equals("commit")) {
                statements.increment();
            }
            Object result = call(() -> method.invoke(connection, args));
            if (result instanceof PreparedStatement prepared) {
                return wrap(PreparedStatement.class, counting(prepared));
            }
            return result instanceof Statement statement ? wrap(Statement.class, counting(statement)) : result;
        });
    }

    private InvocationHandler counting(Statement statement) {
        return (proxy, method, args) -> {
            if (method.getName().startsWith("execute")) {
                statements.increment();
            }
            return call(() -> method.invoke(statement, args));
        };
    }

    private interface Invocation {
        Object run() throws ReflectiveOperationException;
    }

    private static Object call(Invocation invocation) throws Throwable {
        try {
            return invocation.run();
        } catch (InvocationTargetException thrown) {
            throw thrown.getTargetException();
        }
    }

    private static <T> T wrap(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
