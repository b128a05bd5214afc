package dev.weir.store.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.gateway.MessageTable.Count;
import dev.weir.store.gateway.QueueView.Decision;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class QueueViewTest {

    private static final Duration BOUND = Duration.ofSeconds(60);

    private final AtomicLong now = new AtomicLong();
    private final QueueView view = new QueueView(now::get, () -> 100, () -> Duration.ZERO);

    @Test
    void requestsUnderWayCountBeforeTheyAreOnDisk() {
        for (int i = 0; i < 6_000; i++) {
            assertThat(admit("c")).isInstanceOf(Decision.Admitted.class);
        }

        assertThat(admit("c")).isInstanceOf(Decision.TooLong.class);
        view.settled("c");
        assertThat(admit("c")).isInstanceOf(Decision.Admitted.class);
    }

    @Test
    void aClientWithAShortLineIsTakenWhileAnotherIsRefused() {
        view.refresh(view.known(), Map.of("big", new Count(20_000, 0)));

        assertThat(admit("big")).isInstanceOf(Decision.TooLong.class);
        assertThat(admit("small")).isInstanceOf(Decision.Admitted.class);
    }

    @Test
    void aClientMayHaveSoManyWaitingOnly() {
        view.accepted(Map.of("c", new Count(50, 0)));

        assertThat(view.admit("c", BOUND, 50)).isEqualTo(new Decision.TooMany(50));
    }

    @Test
    void whatWasHandedInWhileTheDatabaseWasAskedIsNotForgotten() {
        view.accepted(Map.of("c", new Count(10, 10)));
        Map<String, Long> before = view.known();
        view.accepted(Map.of("c", new Count(15, 10)));

        view.refresh(before, Map.of());

        assertThat(view.waiting("c")).isEqualTo(5);
        view.refresh(view.known(), Map.of());
        assertThat(view.waiting("c")).isZero();
    }

    @Test
    void olderNumbersChangeNothing() {
        view.accepted(Map.of("c", new Count(100, 0)));
        view.ended(Map.of("c", 60L));
        view.refresh(view.known(), Map.of("c", new Count(90, 50)));

        assertThat(view.waiting("c")).isEqualTo(40);
        assertThat(view.waiting()).isEqualTo(40);
    }

    @Test
    void allThatWaitAreCountedThroughEveryChange() {
        view.accepted(Map.of("a", new Count(10, 2), "b", new Count(5, 0)));
        assertThat(view.waiting()).isEqualTo(13);
        view.ended(Map.of("a", 4L, "unseen", 3L));
        assertThat(view.waiting()).isEqualTo(11);
        view.refresh(view.known(), Map.of("b", new Count(7, 1), "c", new Count(3, 0)));
        assertThat(view.waiting()).isEqualTo(9);
        assertThat(view.standing("b", 7)).satisfies(standing -> {
            assertThat(standing.queued()).isEqualTo(9);
            assertThat(standing.ofClient()).isEqualTo(6);
            assertThat(standing.standstill()).isZero();
        });
    }

    @Test
    void theWaitGetsShorterAsMessagesBeforeItEnd() {
        view.accepted(Map.of("c", new Count(1_000, 0)));
        view.refresh(view.known(), Map.of("c", new Count(1_000, 0)));
        assertThat(view.standing("c", 1_000).estimate().expected()).isEqualTo(Duration.ofSeconds(10));

        view.ended(Map.of("c", 400L));

        assertThat(view.standing("c", 1_000).estimate().expected()).isEqualTo(Duration.ofSeconds(6));
    }

    @Test
    void nothingSentAlthoughMessagesWaitIsAStandstillThatCounts() {
        view.refresh(view.known(), Map.of("c", new Count(10, 0)));
        view.ended(Map.of("c", 1L));
        now.addAndGet(Duration.ofSeconds(70).toNanos());

        assertThat(view.standstill()).isEqualTo(Duration.ofSeconds(70));
        assertThat(admit("other")).isInstanceOf(Decision.TooLong.class);
        view.ended(Map.of("c", 2L));
        assertThat(admit("other")).isInstanceOf(Decision.Admitted.class);
    }

    private Decision admit(String client) {
        return view.admit(client, BOUND, 1_000_000);
    }
}
