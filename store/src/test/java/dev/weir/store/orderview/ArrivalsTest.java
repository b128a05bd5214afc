package dev.weir.store.orderview;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.orderevents.OrderEvent;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ArrivalsTest {

    private static final UUID ONE = new UUID(0, 1);
    private static final UUID OTHER = new UUID(0, 2);

    @Test
    void newEventsAreKeptInTheirOrder() {
        List<OrderEvent> events = List.of(event(ONE, 1), event(OTHER, 1), event(ONE, 2));

        assertThat(Arrivals.of(Map.of(), events)).isEqualTo(new Arrivals(events, 0, 0));
    }

    @Test
    void repetitionsAreLeftOutWithinABatchAndAcrossBatches() {
        List<OrderEvent> events = List.of(event(ONE, 1), event(ONE, 1), event(OTHER, 2), event(OTHER, 3));

        assertThat(Arrivals.of(Map.of(OTHER, 2), events))
                .isEqualTo(new Arrivals(List.of(event(ONE, 1), event(OTHER, 3)), 2, 0));
    }

    @Test
    void skippedNumbersAreCountedPerOrder() {
        List<OrderEvent> events = List.of(event(ONE, 3), event(OTHER, 5), event(OTHER, 7));

        assertThat(Arrivals.of(Map.of(OTHER, 4), events)).isEqualTo(new Arrivals(events, 0, 3));
    }

    @Test
    void anEventBehindALaterOneCountsAsARepetition() {
        assertThat(Arrivals.of(Map.of(), List.of(event(ONE, 2), event(ONE, 1))))
                .isEqualTo(new Arrivals(List.of(event(ONE, 2)), 1, 1));
    }

    private static OrderEvent event(UUID order, int sequence) {
        return new OrderEvent(order, sequence, "PAID", 7, List.of(), 100, Instant.parse("2026-01-01T00:00:00Z"));
    }
}
