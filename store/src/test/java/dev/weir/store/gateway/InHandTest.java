package dev.weir.store.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class InHandTest {

    private final InHand hands = new InHand();

    @Test
    void aRecordWithoutAMessageIsDoneOnlyAfterThoseBeforeIt() {
        Held before = take(0, 7, message(1), true);
        take(0, 8, null, false);

        assertThat(hands.committable()).isEqualTo(Map.of(0, 7L));
        hands.done(Objects.requireNonNull(before));
        assertThat(hands.committable()).isEqualTo(Map.of(0, 9L));
    }

    @Test
    void whatHasEndedIsDoneAndNotSent() {
        assertThat(take(0, 1, message(1), false)).isNull();

        assertThat(hands.committable()).isEqualTo(Map.of(0, 2L));
        assertThat(hands.repeated()).isEqualTo(1);
    }

    @Test
    void theSameMessageInAnotherRecordIsNotSentTwice() {
        Held first = take(0, 1, message(1), true);

        assertThat(take(0, 5, message(1), true)).isNull();

        assertThat(hands.committable()).isEqualTo(Map.of(0, 1L));
        hands.done(Objects.requireNonNull(first));
        assertThat(hands.committable()).isEqualTo(Map.of(0, 6L));
    }

    @Test
    void whatIsUnderWayIsOursAgainWhenItsRecordComesBackUnended() {
        Held lost = Objects.requireNonNull(take(3, 1, message(1), true));
        hands.lose(Set.of(3));
        hands.forget(Set.of(3));
        assertThat(lost.lost).isTrue();

        assertThat(take(3, 1, message(1), true)).isNull();

        assertThat(lost.lost).isFalse();
        assertThat(hands.committable()).isEqualTo(Map.of(3, 1L));
    }

    @Test
    void whatAnotherInstanceHasEndedMeanwhileStaysLost() {
        Held lost = Objects.requireNonNull(take(3, 1, message(1), true));
        hands.lose(Set.of(3));
        hands.forget(Set.of(3));

        assertThat(take(3, 1, message(1), false)).isNull();

        assertThat(lost.lost).isTrue();
        assertThat(hands.committable()).isEqualTo(Map.of(3, 2L));
    }

    @Test
    void aLostMessageInAnotherRecordIsTakenAnewAndOutlivesTheLostOne() {
        Held lost = Objects.requireNonNull(take(3, 1, message(1), true));
        hands.lose(Set.of(3));
        hands.forget(Set.of(3));

        Held again = Objects.requireNonNull(take(3, 9, message(1), true));

        hands.drop(lost);
        assertThat(hands.hasAnyOf(Set.of(3))).isTrue();
        hands.done(again);
        assertThat(hands.hasAnyOf(Set.of(3))).isFalse();
    }

    private @Nullable Held take(int partition, long offset, @Nullable Outgoing message, boolean open) {
        return hands.take(new InHand.Arrived(partition, offset, message), open);
    }

    private static Outgoing message(long id) {
        return new Outgoing(new UUID(0, id), "c", "r", "text", id);
    }
}
