package dev.weir.core.route;

import java.io.InputStream;
import java.io.Reader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A call of JDBC that can be made again on another object. */
final class Call {

    private final Method method;
    private final @Nullable Object @Nullable [] arguments;

    Call(Method method, @Nullable Object @Nullable [] arguments) {
        this.method = method;
        this.arguments = arguments;
    }

    @Nullable
    Object on(Object target) throws SQLException {
        return invoke(target, method, arguments);
    }

    /** Whether a second call would have the effect of the first; a stream is read only once. */
    boolean isRepeatable() {
        if (arguments != null) {
            for (Object argument : arguments) {
                if (argument instanceof InputStream || argument instanceof Reader) {
                    return false;
                }
            }
        }
        return true;
    }

    static @Nullable Object invoke(Object target, Method method, @Nullable Object @Nullable [] arguments)
            throws SQLException {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw rethrown(e.getTargetException());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("The JDBC driver's " + method + " cannot be called.", e);
        }
    }

    private static SQLException rethrown(Throwable thrown) {
        return switch (thrown) {
            case SQLException e -> e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> new SQLException(thrown);
        };
    }

    /** Whether an {@code equals} compares a proxy with itself. Identity is what is asked: equals would call the proxy again. */
    @SuppressWarnings("ReferenceEquality")
    static boolean isOnItself(Object proxy, @Nullable Object @Nullable [] arguments) {
        return arguments != null && proxy == arguments[0];
    }
}
