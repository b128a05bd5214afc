package dev.weir.store.orders;

import dev.weir.store.audit.OrderTrail;
import dev.weir.store.audit.TrailEntry;
import dev.weir.store.orderevents.OrderEvent;
import dev.weir.store.orderevents.OrderEvents;
import dev.weir.store.orders.Settlement.Change;
import dev.weir.store.totals.DailyTotals;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Brings a changed order to all who count, keep or publish it. */
@Component
class OrderNews {

    private static final Logger log = LoggerFactory.getLogger(OrderNews.class);

    private final DailyTotals totals;
    private final OrderTrail trail;
    private final OrderEvents events;
    private final Counter failed;
    private final Clock clock = Clock.systemUTC();

    OrderNews(DailyTotals totals, OrderTrail trail, OrderEvents events, MeterRegistry meters) {
        this.totals = totals;
        this.trail = trail;
        this.events = events;
        this.failed = Counter.builder("store.orders.news.failed")
                .description("Committed orders of which somebody was not told because of an unexpected failure")
                .register(meters);
    }

    /** As the last thing in the transaction that changes it. */
    void changed(Change change) {
        Order order = change.order();
        if (order.status() == OrderStatus.PAID) {
            totals.add(order.createdAt().atOffset(ZoneOffset.UTC).toLocalDate(), order.totalCents());
        }
        trail.settled(entry(order));
        events.changed(event(change));
    }

    /** Once that transaction has committed, if it changed anything. Never throws: the order is as it is, whoever hears of it. */
    void committed(Settlement settlement) {
        Change change = settlement.change();
        if (change != null) {
            tell(change.order(), () -> events.committed(event(change)));
            tell(change.order(), () -> trail.committed(entry(change.order())));
        }
    }

    private void tell(Order order, Runnable news) {
        try {
            news.run();
        } catch (RuntimeException | Error unexpected) {
            failed.increment();
            log.error("Order {} is {}, but not all were told.", order.id(), order.status(), unexpected);
        }
    }

    private static TrailEntry entry(Order order) {
        var sales = order.status() == OrderStatus.PAID ? order.items() : List.<OrderItem>of();
        return new TrailEntry(
                order.id(),
                order.customerId(),
                order.status().name(),
                sales.stream()
                        .map(item -> new TrailEntry.Sale(item.productId(), item.quantity(), item.totalCents()))
                        .toList());
    }

    private OrderEvent event(Change change) {
        Order order = change.order();
        return new OrderEvent(
                order.id(),
                change.sequence(),
                order.status().name(),
                order.customerId(),
                order.items().stream()
                        .map(item -> new OrderEvent.Item(item.productId(), item.quantity(), item.unitPriceCents()))
                        .toList(),
                order.totalCents(),
                clock.instant().truncatedTo(ChronoUnit.MILLIS));
    }
}
