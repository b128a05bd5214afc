package dev.weir.store.orderview;

import dev.weir.store.orderevents.OrderEvent;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/** Brings events into the read model, however often each of them arrives, and counts what was repeated or never came. */
@Component
class OrderView {

    private static final Logger log = LoggerFactory.getLogger(OrderView.class);

    private final OrderViewTable table;
    private final TransactionOperations transactions;
    private final Counter kept;
    private final Counter duplicates;
    private final Counter missing;

    OrderView(OrderViewTable table, TransactionOperations transactions, MeterRegistry meters) {
        this.table = table;
        this.transactions = transactions;
        this.kept = counter(meters, "kept", "Events brought into the order view");
        this.duplicates = counter(meters, "duplicate", "Events that were there already");
        this.missing = counter(meters, "missing", "Numbers skipped in the events of an order");
    }

    private static Counter counter(MeterRegistry meters, String outcome, String description) {
        return Counter.builder("store.order.view." + outcome)
                .description(description)
                .register(meters);
    }

    /** Applies events in the order they arrived, all or none; blocks for one transaction. */
    void apply(List<OrderEvent> events) {
        Arrivals arrivals = Objects.requireNonNull(transactions.execute(status -> keep(events)));
        kept.increment(arrivals.fresh().size());
        duplicates.increment(arrivals.duplicates());
        missing.increment(arrivals.missing());
        if (arrivals.missing() > 0) {
            log.warn("{} events of orders never came; what came later tells the whole order.", arrivals.missing());
        }
    }

    private Arrivals keep(List<OrderEvent> events) {
        var orders = events.stream().map(OrderEvent::orderId).collect(Collectors.toSet());
        Arrivals arrivals = Arrivals.of(table.sequences(orders), events);
        table.keep(arrivals.fresh());
        return arrivals;
    }
}
