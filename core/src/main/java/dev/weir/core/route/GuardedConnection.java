package dev.weir.core.route;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A connection that can still be exchanged while nothing has come of it.
 *
 * <p>Until its first statement has succeeded, what is called is also written down; if the server turns out to be gone, the
 * calls are made again on another connection and the caller notices nothing. For reads that is always safe. For a writing
 * transaction it is as well, since a transaction whose connection broke before its commit was sent leaves nothing behind;
 * not so with auto-commit, where the outcome of a statement whose answer was lost is unknown. Only one statement may be
 * open, with a bounded number of calls and no stream among its arguments, or the failure goes to the caller.
 *
 * <p>After a commit on the primary the position of the log is asked for, if a session wants to know it.
 *
 * <p>Like any connection, it is used by one thread at a time.
 */
final class GuardedConnection implements InvocationHandler {

    private static final int MOST_ATTEMPTS = 3;

    private final Router router;
    private final boolean reads;
    private final Connection proxy;
    private final List<Call> calls = new ArrayList<>(4);
    private Lease lease;
    private boolean autoCommit;
    private boolean settled;
    private boolean unreported;
    private volatile boolean closed;
    private int attempts = 1;
    private int tried;
    private int statements;

    private GuardedConnection(Router router, boolean reads, Lease lease, boolean autoCommit) {
        this.router = router;
        this.reads = reads;
        this.lease = lease;
        this.autoCommit = autoCommit;
        this.proxy = (Connection) Proxy.newProxyInstance(
                GuardedConnection.class.getClassLoader(), new Class<?>[] {Connection.class}, this);
    }

    /** The lease is given back when the connection is closed. */
    static Connection reading(Router router, Lease lease) throws SQLException {
        return OpenReads.opened(guarded(router, true, lease));
    }

    /** The lease is given back when the connection is closed. */
    static Connection writing(Router router, Lease lease) throws SQLException {
        return guarded(router, false, lease).proxy;
    }

    private static GuardedConnection guarded(Router router, boolean reads, Lease lease) throws SQLException {
        try {
            return new GuardedConnection(
                    router, reads, lease, lease.connection().getAutoCommit());
        } catch (SQLException | RuntimeException e) {
            router.giveBack(lease);
            throw e;
        }
    }

    @Override
    public @Nullable Object invoke(Object self, Method method, @Nullable Object @Nullable [] arguments)
            throws SQLException {
        return switch (method.getName()) {
            case "createStatement" -> open(Statement.class, method, arguments);
            case "prepareStatement" -> open(PreparedStatement.class, method, arguments);
            case "prepareCall" -> open(CallableStatement.class, method, arguments);
            case "commit" -> commit(method);
            case "rollback" -> rollback(method, arguments);
            case "close" -> close();
            case "setAutoCommit" -> setAutoCommit(method, arguments);
            case "unwrap" -> unwrap(method, arguments);
            case "equals" -> Call.isOnItself(self, arguments);
            case "hashCode" -> System.identityHashCode(self);
            case "toString" -> "connection to " + lease.server();
            default -> pass(method, arguments);
        };
    }

    private @Nullable Object pass(Method method, @Nullable Object @Nullable [] arguments) throws SQLException {
        Call call = new Call(method, arguments);
        if (!settled && method.getReturnType() == void.class) {
            calls.add(call);
        }
        return guarded(call);
    }

    /** Makes a call whose own failure may move the connection. */
    private @Nullable Object guarded(Call call) throws SQLException {
        while (true) {
            try {
                return call.on(lease.connection());
            } catch (SQLException e) {
                if (!mayMove() || !moved(e)) {
                    throw e;
                }
            }
        }
    }

    private @Nullable Object setAutoCommit(Method method, @Nullable Object @Nullable [] arguments) throws SQLException {
        Object result = pass(method, arguments);
        autoCommit = arguments != null && Boolean.TRUE.equals(arguments[0]);
        if (autoCommit) {
            // Switching it on commits.
            committed();
        }
        return result;
    }

    /** What is done with the driver's own connection goes unseen; it may have written, and would be lost by moving. */
    private @Nullable Object unwrap(Method method, @Nullable Object @Nullable [] arguments) throws SQLException {
        Object unwrapped = guarded(new Call(method, arguments));
        succeeded();
        return unwrapped;
    }

    private @Nullable Object commit(Method method) throws SQLException {
        try {
            Object result = Call.invoke(lease.connection(), method, null);
            committed();
            return result;
        } catch (SQLException e) {
            // What was read has been read, and nothing was written that could be lost with the connection.
            if (reads && SqlFailure.of(e) == SqlFailure.CONNECTION) {
                router.serverGone(lease);
                return null;
            }
            throw e;
        }
    }

    private @Nullable Object rollback(Method method, @Nullable Object @Nullable [] arguments) throws SQLException {
        Object result = Call.invoke(lease.connection(), method, arguments);
        if (arguments == null) {
            unreported = false;
        }
        return result;
    }

    private @Nullable Object close() throws SQLException {
        if (closed) {
            return null;
        }
        closed = true;
        if (reads) {
            OpenReads.closed(this);
        }
        try {
            if (autoCommit) {
                committed();
            }
        } finally {
            router.giveBack(lease);
        }
        return null;
    }

    private void committed() {
        if (unreported && !reads) {
            router.committed(lease.connection(), autoCommit);
        }
        unreported = false;
    }

    private Object open(Class<? extends Statement> type, Method method, @Nullable Object @Nullable [] arguments)
            throws SQLException {
        Call creation = new Call(method, arguments);
        Object statement = guarded(creation);
        statements++;
        return new GuardedStatement(this, type, creation, statement).proxy();
    }

    Connection proxy() {
        return proxy;
    }

    /** Whether it is open and leads to a replica. */
    boolean isOnReplica() {
        return !closed && lease.held() instanceof Lease.OfReplica;
    }

    boolean isClosed() {
        return closed;
    }

    boolean isSettled() {
        return settled;
    }

    /** A statement succeeded: from now on failures are the caller's. */
    void succeeded() {
        settled = true;
        unreported = true;
        calls.clear();
    }

    void statementClosed() {
        statements--;
    }

    private boolean mayMove() {
        return !settled && !closed && attempts < MOST_ATTEMPTS && statements == 0;
    }

    /** Whether a failed first statement may be made again elsewhere: not where its outcome is unknown. */
    boolean mayRepeat() {
        return !settled && !closed && attempts < MOST_ATTEMPTS && statements == 1 && (reads || !autoCommit);
    }

    /**
     * Exchanges the connection if the failure is one of the server; the calls so far are made on the new one. When the caller is to
     * see the failure, this answers false or throws what the next server failed with.
     */
    boolean moved(SQLException failure) throws SQLException {
        if (!calls.stream().allMatch(Call::isRepeatable)) {
            return false;
        }
        SQLException cause = failure;
        while (attempts < MOST_ATTEMPTS) {
            tried |= lease.held() instanceof Lease.OfReplica(int index) ? 1 << index : 0;
            attempts++;
            Lease next = router.replace(lease, reads, tried, cause);
            if (next == null) {
                return false;
            }
            lease = next;
            try {
                callAgain();
                return true;
            } catch (SQLException e) {
                cause = e;
            }
        }
        return false;
    }

    private void callAgain() throws SQLException {
        for (Call call : calls) {
            call.on(lease.connection());
        }
    }

    @Nullable
    Object again(Call creation) throws SQLException {
        return creation.on(lease.connection());
    }

    /** The failure as the caller should see it. */
    SQLException explained(SQLException failure) {
        return router.explained(failure, lease, reads);
    }
}
