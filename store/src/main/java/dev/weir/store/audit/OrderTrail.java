package dev.weir.store.audit;

/** Keeps the audit line and the facts for analysis of every settled order. */
public interface OrderTrail {

    /** Called in the transaction that settles the order. */
    void settled(TrailEntry entry);

    /** Called once that transaction has committed. */
    void committed(TrailEntry entry);
}
