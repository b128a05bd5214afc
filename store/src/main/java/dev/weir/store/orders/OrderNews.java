package dev.weir.store.orders;

import dev.weir.store.audit.OrderTrail;
import dev.weir.store.audit.TrailEntry;
import dev.weir.store.orderevents.OrderEvent;
import dev.weir.store.orderevents.OrderEvents;
import dev.weir.store.orders.Settlement.Change;
import dev.weir.store.totals.DailyTotals;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.springframework.stereotype.Component;

/** Brings a changed order to all who count, keep or publish it. */
@Component
class OrderNews {

    private final DailyTotals totals;
    private final OrderTrail trail;
    private final OrderEvents events;
    private final Clock clock = Clock.systemUTC();

    OrderNews(DailyTotals totals, OrderTrail trail, OrderEvents events) {
        this.totals = totals;
        this.trail = trail;
        this.events = events;
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

    /** Once that transaction has committed, if it changed anything. */
    void committed(Settlement settlement) {
        Change change = settlement.change();
        if (change != null) {
            events.committed(event(change));
            trail.committed(entry(change.order()));
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
