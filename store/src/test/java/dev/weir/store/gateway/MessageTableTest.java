package dev.weir.store.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

/** The loop of the clean-up on a clock of the test; what it removes is tested on a real database in {@link GatewayIT}. */
class MessageTableTest {

    private static final Duration AGE = Duration.ofDays(1);
    private static final Duration TIME = Duration.ofMillis(300);

    private final Queue<Integer> removed = new ArrayDeque<>();
    private long nowNanos;

    private final MessageTable table = new MessageTable(
            new JdbcTemplate() {
                @Override
                public int update(String sql, @Nullable Object @Nullable ... arguments) {
                    if (!sql.contains("delete from messages ")) {
                        return 0;
                    }
                    nowNanos += Duration.ofMillis(100).toNanos();
                    return removed.remove();
                }
            },
            () -> nowNanos);

    @Test
    void removesInPiecesUntilNothingIsLeft() {
        removed.addAll(List.of(5_000, 5_000, 4_999));

        assertThat(table.purge(AGE, TIME)).isTrue();
        assertThat(removed).isEmpty();
    }

    @Test
    void stopsWhenItsTimeIsOverAndSaysThatMoreIsLeft() {
        removed.addAll(List.of(5_000, 5_000, 5_000, 5_000));

        assertThat(table.purge(AGE, TIME)).isFalse();
        assertThat(removed).hasSize(1);
    }
}
