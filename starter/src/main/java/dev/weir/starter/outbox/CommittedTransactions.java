package dev.weir.starter.outbox;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Knows whether the calling thread's transaction is committed already while callbacks of it still run: Spring calls it active there, with
 * its connection, though nothing would commit what is written by then. Listens to all transaction managers of the application; where it is
 * no bean, it knows of none.
 */
final class CommittedTransactions implements BeanPostProcessor {

    /** From the first transaction whose commit has begun to those begun in its callbacks. */
    private static final ThreadLocal<@Nullable List<Entry>> CURRENT = new ThreadLocal<>();

    private final TransactionExecutionListener listener = new Listener();

    private record Entry(TransactionExecution transaction, boolean committed) {}

    /** Whether what the calling thread writes now is committed by nobody. */
    static boolean isCurrent() {
        List<Entry> entries = CURRENT.get();
        return entries != null && entries.getLast().committed();
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
        if (bean instanceof PlatformTransactionManager && bean instanceof ConfigurableTransactionManager manager) {
            manager.addListener(listener);
        }
        return bean;
    }

    private static final class Listener implements TransactionExecutionListener {

        @Override
        public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
            if (failure == null && CURRENT.get() != null) {
                push(transaction, false);
            }
        }

        /** The last that is heard before the callbacks; those before the commit have run. */
        @Override
        public void beforeCommit(TransactionExecution transaction) {
            if (transaction.isNewTransaction()) {
                push(transaction, true);
            }
        }

        @Override
        public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
            end(transaction);
        }

        @Override
        public void afterRollback(TransactionExecution transaction, @Nullable Throwable failure) {
            end(transaction);
        }

        private static void push(TransactionExecution transaction, boolean committed) {
            List<Entry> entries = CURRENT.get();
            if (entries == null) {
                entries = new ArrayList<>();
                CURRENT.set(entries);
            }
            entries.add(new Entry(transaction, committed));
        }

        /** With whatever was begun within it. */
        private static void end(TransactionExecution transaction) {
            List<Entry> entries = CURRENT.get();
            if (entries == null) {
                return;
            }
            for (int i = 0; i < entries.size(); i++) {
                if (entries.get(i).transaction().equals(transaction)) {
                    entries.subList(i, entries.size()).clear();
                }
            }
            if (entries.isEmpty()) {
                CURRENT.remove();
            }
        }
    }
}
