package dev.weir.store.orderevents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OrderEventTest {

    private static final OrderEvent EVENT = new OrderEvent(
            new UUID(0, 1),
            1,
            "PAID",
            7,
            List.of(new OrderEvent.Item(17, 2, 250)),
            500,
            Instant.parse("2026-01-02T03:04:05.678Z"));

    @Test
    void isReadAsItWasWritten() throws IOException {
        assertThat(OrderEvent.read(EVENT.toEvent().value())).isEqualTo(EVENT);
    }

    /** The order view would try to write it again and again. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"PAID\" | \"PA\\u0000ID\" | status",
                "\"sequence\":1 | \"sequence\":0 | sequence",
                "2026-01-02T03:04:05.678Z | +900000000-01-01T00:00:00Z | at",
            })
    void whatADatabaseWouldRefuseIsNoEvent(String right, String wrong, String named) {
        String json = new String(EVENT.toEvent().value(), StandardCharsets.UTF_8);
        assertThat(json).contains(right);

        assertThatThrownBy(() -> OrderEvent.read(json.replace(right, wrong).getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Not an order's event: ")
                .hasMessageContaining(named + " is ");
    }
}
