package dev.weir.store.orderevents;

/** Tells others of changed orders. */
public interface OrderEvents {

    /** Called in the transaction that changes the order, as its last statement. */
    void changed(OrderEvent event);

    /** Called once that transaction has committed. */
    void committed(OrderEvent event);
}
