package dev.weir.store.orderview;

import dev.weir.store.orderevents.OrderEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Sorts out what has arrived by the number of each order's last known event.
 *
 * @param fresh events to keep, in the order they arrived
 * @param duplicates events whose number was known, or is below one that was: repetitions, which an at-least-once delivery
 *     brings
 * @param missing numbers that were skipped: events that never came
 */
record Arrivals(List<OrderEvent> fresh, int duplicates, int missing) {

    /** Decides what these are, after those known. */
    static Arrivals of(Map<UUID, Integer> known, List<OrderEvent> inOrder) {
        Map<UUID, Integer> last = new HashMap<>(known);
        List<OrderEvent> fresh = new ArrayList<>(inOrder.size());
        int duplicates = 0;
        int missing = 0;
        for (OrderEvent event : inOrder) {
            int before = last.getOrDefault(event.orderId(), 0);
            if (event.sequence() <= before) {
                duplicates++;
            } else {
                missing += event.sequence() - before - 1;
                last.put(event.orderId(), event.sequence());
                fresh.add(event);
            }
        }
        return new Arrivals(List.copyOf(fresh), duplicates, missing);
    }
}
