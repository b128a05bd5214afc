package dev.weir.store.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.weir.store.audit.OrderTrail;
import dev.weir.store.audit.TrailEntry;
import dev.weir.store.orderevents.OrderEvent;
import dev.weir.store.orderevents.OrderEvents;
import dev.weir.store.orders.Settlement.Change;
import dev.weir.store.totals.DailyTotals;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OrderNewsTest {

    private final List<String> told = new ArrayList<>();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    @ParameterizedTest
    @ValueSource(classes = {IllegalStateException.class, NoClassDefFoundError.class})
    void aCommittedOrderFailsNobodyWhateverThrows(Class<? extends Throwable> kind) throws Exception {
        Throwable thrown = kind.getConstructor(String.class).newInstance("closed");
        OrderNews news = news(thrown);

        assertThatCode(() -> news.committed(settlement())).doesNotThrowAnyException();

        assertThat(told).containsExactly("trail");
        assertThat(meters.counter("store.orders.news.failed").count()).isEqualTo(1);
    }

    @Test
    void whereAllWereToldNothingIsCounted() {
        news(null).committed(settlement());

        assertThat(told).containsExactly("events", "trail");
        assertThat(meters.counter("store.orders.news.failed").count()).isZero();
    }

    private OrderNews news(@Nullable Throwable thrown) {
        return new OrderNews(new NoTotals(), new Trail(), new Events(thrown), meters);
    }

    private static Settlement settlement() {
        Order order =
                new Order(UUID.randomUUID(), 7, OrderStatus.PAID, List.of(new OrderItem(1, 1, 5)), 5, Instant.now());
        return new Settlement(new Placement.Placed(order, false), new Change(order, 1));
    }

    private static final class NoTotals implements DailyTotals {
        @Override
        public void add(LocalDate day, long cents) {}
    }

    private final class Trail implements OrderTrail {
        @Override
        public void settled(TrailEntry entry) {}

        @Override
        public void committed(TrailEntry entry) {
            told.add("trail");
        }
    }

    private final class Events implements OrderEvents {
        private final @Nullable Throwable thrown;

        Events(@Nullable Throwable thrown) {
            this.thrown = thrown;
        }

        @Override
        public void changed(OrderEvent event) {}

        @Override
        public void committed(OrderEvent event) {
            switch (thrown) {
                case RuntimeException exception -> throw exception;
                case Error error -> throw error;
                case null, default -> told.add("events");
            }
        }
    }
}
