package dev.weir.store.audit;

import dev.weir.starter.defer.Deferred;
import org.springframework.transaction.support.TransactionOperations;

/**
 * Written after the commit in a transaction and on a thread of its own, or dropped and counted: the client never waits for it, and what
 * an order leaves is whole or absent.
 */
final class BestEffortTrail implements OrderTrail {

    private final TrailTables tables;
    private final TransactionOperations transactions;
    private final Deferred deferred;

    BestEffortTrail(TrailTables tables, TransactionOperations transactions, Deferred deferred) {
        this.tables = tables;
        this.transactions = transactions;
        this.deferred = deferred;
    }

    @Override
    public void settled(TrailEntry entry) {}

    @Override
    public void committed(TrailEntry entry) {
        deferred.bestEffort(() -> transactions.executeWithoutResult(status -> tables.write(entry)));
    }
}
