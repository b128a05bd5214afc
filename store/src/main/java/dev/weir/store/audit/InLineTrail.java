package dev.weir.store.audit;

/** Written in the order's transaction, while the client waits. */
final class InLineTrail implements OrderTrail {

    private final TrailTables tables;

    InLineTrail(TrailTables tables) {
        this.tables = tables;
    }

    @Override
    public void settled(TrailEntry entry) {
        tables.write(entry);
    }

    @Override
    public void committed(TrailEntry entry) {}
}
