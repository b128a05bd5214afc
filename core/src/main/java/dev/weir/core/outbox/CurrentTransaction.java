package dev.weir.core.outbox;

import java.sql.Connection;
import java.sql.SQLException;

/** The transaction that the calling thread is in, as the framework that began it knows it. Any thread may call it. */
public interface CurrentTransaction {

    /** What is done with the transaction's connection. */
    @FunctionalInterface
    interface Work<T> {
        /** Does it; must neither commit, roll back nor close. */
        T with(Connection transaction) throws SQLException;
    }

    /**
     * Does this with the transaction's connection, and answers the result.
     *
     * @throws IllegalStateException if the thread is in no transaction that may write; one sentence says what to do
     */
    <T> T with(Work<T> work) throws SQLException;

    /** Runs this once after the commit, however often it is asked in one transaction; not after a rollback. */
    void afterCommit(Runnable task);

    /** Where no framework is known: every call is refused. */
    static CurrentTransaction unknown() {
        return new CurrentTransaction() {
            @Override
            public <T> T with(Work<T> work) {
                throw new IllegalStateException(
                        "This outbox knows no current transaction: give add the transaction's connection, or make the outbox with a CurrentTransaction.");
            }

            @Override
            public void afterCommit(Runnable task) {}
        };
    }
}
