package dev.weir.starter.defer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.outbox.Outcome;
import dev.weir.core.outbox.StoredEvent;
import dev.weir.core.outbox.Target;
import dev.weir.core.publish.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HoldingTargetTest {

    private static final List<StoredEvent> EVENTS =
            List.of(new StoredEvent(1, 1, 0, Event.unkeyed("remind", new byte[0])));

    private final AtomicLong nanos = new AtomicLong();
    private final List<List<StoredEvent>> begun = new ArrayList<>();
    private final Target inner = new Target() {
        @Override
        public Batch begin(List<StoredEvent> events) {
            begun.add(events);
            return new Batch() {
                @Override
                public boolean await(Duration atMost) {
                    return true;
                }

                @Override
                public void abort() {}

                @Override
                public List<Outcome> outcomes() {
                    return List.of(new Outcome.Delivered());
                }
            };
        }

        @Override
        public void close() {}
    };

    /** Its clock moves by a second with each look at the pressure. */
    private Target.Batch under(AtomicInteger looksUnderPressure, Duration holdFor) {
        return new HoldingTarget(
                        inner,
                        () -> {
                            nanos.addAndGet(Duration.ofSeconds(1).toNanos());
                            return looksUnderPressure.getAndDecrement() > 0;
                        },
                        holdFor,
                        nanos::get)
                .begin(EVENTS);
    }

    @Test
    void runsAtOnceWithoutPressure() throws Exception {
        Target.Batch batch = under(new AtomicInteger(), Duration.ofSeconds(30));

        assertThat(batch.await(Duration.ofMinutes(1))).isTrue();
        assertThat(batch.outcomes()).containsExactly(new Outcome.Delivered());
    }

    @Test
    void staysInItsTableWhileThereIsPressure() throws Exception {
        var looks = new AtomicInteger(Integer.MAX_VALUE);
        Target.Batch batch = under(looks, Duration.ofSeconds(30));

        assertThat(batch.await(Duration.ofSeconds(3))).isFalse();
        assertThat(begun).isEmpty();
        assertThat(batch.outcomes()).allMatch(Outcome.Postponed.class::isInstance);

        looks.set(0);
        assertThat(batch.await(Duration.ofSeconds(3))).isTrue();
        assertThat(begun).containsExactly(EVENTS);
    }

    @Test
    void isHeldNoLongerThanTheSettingSays() throws Exception {
        Target.Batch batch = under(new AtomicInteger(Integer.MAX_VALUE), Duration.ofSeconds(5));

        assertThat(batch.await(Duration.ofSeconds(3))).isFalse();
        assertThat(batch.await(Duration.ofSeconds(3))).isTrue();
        assertThat(begun).hasSize(1);
    }

    @Test
    void isNeverHeldWithAHoldOfZero() throws Exception {
        assertThat(under(new AtomicInteger(Integer.MAX_VALUE), Duration.ZERO).await(Duration.ofSeconds(3)))
                .isTrue();
    }

    @Test
    void aHeldBatchCanBeGivenUp() {
        Target.Batch batch = under(new AtomicInteger(Integer.MAX_VALUE), Duration.ofSeconds(30));
        batch.abort();

        assertThat(batch.outcomes()).allMatch(Outcome.Postponed.class::isInstance);
        assertThat(begun).isEmpty();
    }
}
