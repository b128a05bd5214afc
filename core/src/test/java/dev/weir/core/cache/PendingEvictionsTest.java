package dev.weir.core.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.cache.PendingEvictions.Batch;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PendingEvictionsTest {
    private final PendingEvictions pending = new PendingEvictions(2);

    @Test
    void keysCountUntilTheyAreDelivered() {
        add("a", "b");
        Batch batch = Objects.requireNonNull(pending.take());
        add("b");
        assertThat(pending.size()).isEqualTo(3);

        pending.delivered(batch);
        assertThat(pending.size()).isEqualTo(1);
    }

    @Test
    void aClearUnderWayCountsAsOne() {
        assertThat(pending.addAll()).isNotDone();
        Batch batch = Objects.requireNonNull(pending.take());
        assertThat(pending.size()).isEqualTo(1);
        assertThat(pending.holds("any")).isTrue();

        pending.delivered(batch);
        assertThat(pending.size()).isZero();
    }

    @Test
    void keysThatBecameTheWholeCacheCountAsOneUnderWayToo() {
        add("a", "b", "c");
        Batch batch = Objects.requireNonNull(pending.take());
        assertThat(batch.all()).isTrue();
        assertThat(pending.size()).isEqualTo(1);

        pending.failed(batch, 0);
        assertThat(pending.size()).isEqualTo(1);
    }

    private void add(String... keys) {
        assertThat(pending.add(List.of(keys))).isNotDone();
    }
}
