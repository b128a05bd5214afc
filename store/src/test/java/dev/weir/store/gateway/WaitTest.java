package dev.weir.store.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WaitTest {

    @Test
    void agreesWithTakingTurnsOneByOne() {
        Random random = new Random(7);
        for (int round = 0; round < 200; round++) {
            List<Long> lengths = new ArrayList<>();
            for (int i = 0; i < 1 + random.nextInt(20); i++) {
                lengths.add((long) random.nextInt(300));
            }
            long own = lengths.getFirst();
            long position = 1L + random.nextInt(400);

            long reckoned = Backlog.of(lengths).upTo(position, own);

            assertThat(reckoned).as("%s, position %d", lengths, position).isEqualTo(sentInTurns(lengths, position));
        }
    }

    /** The last of each turn is the client asked about. */
    private static long sentInTurns(List<Long> lengths, long position) {
        long sent = 0;
        for (long turn = 1; turn <= position; turn++) {
            sent++;
            for (int other = 1; other < lengths.size(); other++) {
                sent += lengths.get(other) >= turn ? 1 : 0;
            }
        }
        return sent;
    }

    @Test
    void anotherClientsHundredThousandDelayTenByAsManyOnly() {
        Backlog backlog = Backlog.of(List.of(100_000L));

        Wait wait = Wait.of(backlog, 10, 0, 2_000, Duration.ZERO, Duration.ZERO);

        assertThat(wait.expected()).isEqualTo(Duration.ofMillis(10));
        assertThat(wait.latest()).isEqualTo(Duration.ofMillis(10));
    }

    @Test
    void theLatestIsWhenAllWhoWaitNowAlwaysWait() {
        Backlog backlog = Backlog.of(List.of(1_000L, 10L, 0L));

        Wait wait = Wait.of(backlog, 1_000, 1_000, 100, Duration.ZERO, Duration.ZERO);

        assertThat(wait.expected()).isEqualTo(Duration.ofMillis(10_100));
        assertThat(wait.latest()).isEqualTo(Duration.ofSeconds(20));
    }

    @Test
    void aStandstillIsTakenToLastAsLongAgain() {
        Wait wait = Wait.of(Backlog.EMPTY, 1, 0, 100, Duration.ofSeconds(30), Duration.ofMillis(80));

        assertThat(wait.expected()).isEqualTo(Duration.ofMillis(30_010));
    }

    @Test
    void isNeverShorterThanTheWayOfAMessage() {
        Wait wait = Wait.of(Backlog.EMPTY, 1, 0, 2_000, Duration.ZERO, Duration.ofMillis(80));

        assertThat(wait.expected()).isEqualTo(Duration.ofMillis(80));
        assertThat(wait.atLeast(Duration.ofSeconds(1)).latest()).isEqualTo(Duration.ofSeconds(1));
    }
}
