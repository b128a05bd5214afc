package dev.weir.store.orderevents;

/** Where there is no Kafka, nobody is told. */
final class NoOrderEvents implements OrderEvents {

    @Override
    public void changed(OrderEvent event) {}

    @Override
    public void committed(OrderEvent event) {}
}
