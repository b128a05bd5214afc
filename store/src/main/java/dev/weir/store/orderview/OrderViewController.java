package dev.weir.store.orderview;

import dev.weir.store.orderview.OrderViewTable.ViewedEvent;
import dev.weir.store.orderview.OrderViewTable.ViewedOrder;
import dev.weir.store.problems.ProblemException;
import dev.weir.store.problems.ProblemType;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.util.List;
import java.util.UUID;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What has arrived so far; an order that was placed a moment ago may not be there yet. */
@RestController
class OrderViewController {

    private final OrderViewTable table;

    OrderViewController(OrderViewTable table) {
        this.table = table;
    }

    @GetMapping("/api/orders/{id}/events")
    List<ViewedEvent> events(@PathVariable UUID id) {
        List<ViewedEvent> events = table.events(id);
        if (events.isEmpty()) {
            throw new ProblemException(ProblemType.ORDER_NOT_FOUND, "No event of an order " + id + " has arrived.");
        }
        return events;
    }

    @GetMapping("/api/customers/{id}/orders")
    List<ViewedOrder> orders(
            @PathVariable @Min(1) long id, @RequestParam(defaultValue = "20") @Min(1) @Max(100) int size) {
        return table.ofCustomer(id, size);
    }
}
