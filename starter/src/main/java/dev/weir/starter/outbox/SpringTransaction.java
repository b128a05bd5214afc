package dev.weir.starter.outbox;

import dev.weir.core.outbox.CurrentTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.core.Ordered;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Spring's transactions on one data source, however they were begun: by annotation, template, JDBC or JPA. */
final class SpringTransaction implements CurrentTransaction {

    private final DataSource database;

    SpringTransaction(DataSource database) {
        this.database = database;
    }

    @Override
    public <T> T with(Work<T> work) throws SQLException {
        requireTransaction();
        Connection connection = DataSourceUtils.getConnection(database);
        try {
            return work.with(connection);
        } finally {
            DataSourceUtils.releaseConnection(connection, database);
        }
    }

    private void requireTransaction() {
        // After its completion a transaction still counts as active until the last callback has ended.
        if (!TransactionSynchronizationManager.isActualTransactionActive()
                || !TransactionSynchronizationManager.isSynchronizationActive()) {
            throw new IllegalStateException(
                    "No transaction is active, and an event of the outbox belongs to one. Put @Transactional on the method"
                            + " around the call, and call that method through its bean; for events without a transaction use weir.publish.");
        }
        if (CommittedTransactions.isCurrent()) {
            throw new IllegalStateException(
                    "The current transaction is committed already, and nothing would commit this event. Add it before the commit,"
                            + " or begin another transaction in the callback: @Transactional(propagation = REQUIRES_NEW) on the method it calls.");
        }
        if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
            throw new IllegalStateException(
                    "The current transaction is read-only, and the outbox writes. Begin one without readOnly = true.");
        }
        if (!TransactionSynchronizationManager.hasResource(database)) {
            throw new IllegalStateException(
                    "The current transaction is not one of the outbox's data source, so their commits would not be one."
                            + " Name the other data source in weir.outbox.data-source, or use the transaction manager of this one.");
        }
    }

    @Override
    public void afterCommit(Runnable task) {
        if (!TransactionSynchronizationManager.hasResource(task)) {
            AtCommit made = new AtCommit(task);
            TransactionSynchronizationManager.registerSynchronization(made);
            TransactionSynchronizationManager.bindResource(task, made);
        }
    }

    /** Known to the thread by its task, so that a second event of the transaction adds no second one. */
    private record AtCommit(Runnable task) implements TransactionSynchronization {

        @Override
        public int getOrder() {
            return Ordered.HIGHEST_PRECEDENCE;
        }

        @Override
        public void suspend() {
            TransactionSynchronizationManager.unbindResourceIfPossible(task);
        }

        @Override
        public void resume() {
            TransactionSynchronizationManager.bindResource(task, this);
        }

        /** What a later callback adds belongs to another transaction. */
        @Override
        public void afterCommit() {
            TransactionSynchronizationManager.unbindResourceIfPossible(task);
            task.run();
        }

        @Override
        public void afterCompletion(int status) {
            TransactionSynchronizationManager.unbindResourceIfPossible(task);
        }
    }
}
