package dev.weir.store.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.gateway.CallbackSlots.Turn;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CallbackSlotsTest {

    private static final int SLOTS = 256;

    private final CallbackSlots slots = new CallbackSlots(SLOTS);

    @ParameterizedTest
    @ValueSource(ints = {1, 8, 16, 64})
    void clientsThatHangLeaveRoomForOneThatDoesNot(int hanging) {
        for (int round = 0; round < 100; round++) {
            IntStream.range(0, hanging).forEach(i -> takeOne(new Turn("hanging-" + i, "https://hanging-" + i)));
        }

        int free = SLOTS - slots.taken();
        assertThat(free).isGreaterThanOrEqualTo(SLOTS / (hanging + 8) / 2);
        assertThat(slots.room(new Turn("well", "https://well"))).isPositive();
    }

    @Test
    void aServerThatHangsForManyClientsLeavesRoomForAnother() {
        for (int round = 0; round < 100; round++) {
            IntStream.range(0, 100).forEach(i -> takeOne(new Turn("client-" + i, "https://hanging")));
        }

        assertThat(slots.taken()).isLessThan(SLOTS / 2);
        assertThat(slots.room(new Turn("client-1", "https://well"))).isPositive();
        assertThat(slots.room(new Turn("client-1", "https://hanging"))).isZero();
    }

    @Test
    void whatHasEndedMakesRoom() {
        Turn turn = new Turn("c", "o");
        int room = slots.room(turn);
        slots.add(turn, room);
        slots.add(turn, -room);

        assertThat(slots.room(turn)).isEqualTo(room);
        assertThat(slots.taken()).isZero();
    }

    @Test
    void neverMoreThanThereAre() {
        IntStream.range(0, 1_000).forEach(i -> takeOne(new Turn("c" + i, "o" + i)));

        assertThat(slots.taken()).isEqualTo(SLOTS);
    }

    private void takeOne(Turn turn) {
        slots.add(turn, Math.min(1, slots.room(turn)));
    }
}
