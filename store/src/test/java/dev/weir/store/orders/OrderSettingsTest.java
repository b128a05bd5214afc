package dev.weir.store.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.store.orders.OrderSettings.Hold;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class OrderSettingsTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void aReservationOutlastsAPayment() {
        OrderSettings settings = new OrderSettings(Hold.RESERVED, Duration.ofSeconds(6), SECOND, SECOND);

        assertThat(settings.fitting(Duration.ofSeconds(5))).isSameAs(settings);
        assertThatThrownBy(() -> settings.fitting(Duration.ofSeconds(6)))
                .hasMessage("store.orders.reservation is '6000ms': it must be above 6000ms, which is what a payment may"
                        + " take (store.payments.connect-timeout and timeout together).");
    }

    @Test
    void timesThatCannotBeUsedAreRefused() {
        assertThatThrownBy(() -> new OrderSettings(Hold.HELD, SECOND.dividedBy(2), SECOND, SECOND))
                .hasMessage("store.orders.reservation is 500ms: give a duration from 1000ms to 3600s, such as 30s.");
        assertThatThrownBy(() -> new OrderSettings(Hold.HELD, SECOND, Duration.ZERO, SECOND))
                .hasMessageStartingWith("store.orders.sweep-interval is 0ms");
        assertThatThrownBy(() -> new OrderSettings(Hold.HELD, SECOND, SECOND, Duration.ofHours(1)))
                .hasMessageStartingWith("store.orders.key-wait is 3600000ms");
    }
}
