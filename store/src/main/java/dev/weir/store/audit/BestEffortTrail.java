package dev.weir.store.audit;

import dev.weir.starter.defer.Deferred;

/** Written after the commit on a thread of its own, or dropped and counted: the client never waits for it. */
final class BestEffortTrail implements OrderTrail {

    private final TrailTables tables;
    private final Deferred deferred;

    BestEffortTrail(TrailTables tables, Deferred deferred) {
        this.tables = tables;
        this.deferred = deferred;
    }

    @Override
    public void settled(TrailEntry entry) {}

    @Override
    public void committed(TrailEntry entry) {
        deferred.bestEffort(() -> tables.write(entry));
    }
}
