package dev.weir.core.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.core.publish.Event;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a relay decides about a batch. */
class VerdictTest {
    private static final Outcome ARRIVED = new Outcome.Delivered();
    private static final Outcome FAILED = new Outcome.Failed("no");
    private static final Outcome POSTPONED = new Outcome.Postponed("later");

    private static StoredEvent event(long row, String key, int attempts) {
        return new StoredEvent(row, key.hashCode(), attempts, Event.of("t", key, new byte[0]));
    }

    private static List<Long> rows(List<Verdict.Failure> failures) {
        return failures.stream().map(failure -> failure.event().row()).toList();
    }

    @Test
    void removesWhatArrivedAndLeavesWhatWasPostponed() {
        Verdict verdict = Verdict.of(
                List.of(event(1, "a", 0), event(2, "b", 0), event(3, "a", 0)), List.of(ARRIVED, POSTPONED, ARRIVED), 3);
        assertThat(verdict.arrived()).containsExactlyInAnyOrder(1L, 3L);
        assertThat(verdict.postponed()).isOne();
        assertThat(verdict.retried()).isEmpty();
        assertThat(verdict.parked()).isEmpty();
    }

    @Test
    void triesAgainUpToTheAttempts() {
        Verdict verdict = Verdict.of(List.of(event(1, "a", 1), event(2, "b", 2)), List.of(FAILED, FAILED), 3);
        assertThat(rows(verdict.retried())).containsExactly(1L);
        assertThat(rows(verdict.parked())).containsExactly(2L);
    }

    @Test
    void doesNotTryAgainBehindALaterEventOfItsKey() {
        Verdict verdict = Verdict.of(
                List.of(event(1, "a", 0), event(2, "a", 0), event(3, "b", 0), event(4, "b", 0)),
                List.of(FAILED, ARRIVED, FAILED, POSTPONED),
                3);
        assertThat(rows(verdict.parked())).containsExactly(1L);
        assertThat(rows(verdict.retried())).containsExactly(3L);
    }

    @Test
    void keepsReasonsAsPostgresTakesThem() {
        Verdict verdict = Verdict.of(
                List.of(event(1, "a", 0), event(2, "b", 0)),
                List.of(new Outcome.Refused("a\u0000b\ud800c\n\ud83d\ude00"), new Outcome.Failed("x".repeat(3_000))),
                3);
        assertThat(verdict.parked().getFirst().reason()).isEqualTo("a?b?c\n\ud83d\ude00");
        assertThat(verdict.retried().getFirst().reason()).hasSize(2_000);
    }

    @Test
    void parksAtOnceWhatCanNeverArrive() {
        Verdict verdict = Verdict.of(
                List.of(event(1, "a", 0), event(2, "a", 0)), List.of(new Outcome.Refused("too large"), ARRIVED), 3);
        assertThat(rows(verdict.parked())).containsExactly(1L);
        assertThat(verdict.parked().getFirst().reason()).isEqualTo("too large");
        assertThat(verdict.arrived()).containsExactly(2L);
    }

    @Test
    void anEventThatHasFailedGoesAloneOfItsKey() {
        assertThat(Wave.of(List.of(event(1, "a", 1), event(2, "b", 0), event(3, "a", 0), event(4, "b", 0))))
                .extracting(StoredEvent::row)
                .containsExactly(1L, 2L, 4L);
    }

    @Test
    void sharesAreFair() {
        assertThat(Leases.share(1)).isEqualTo(64);
        assertThat(Leases.share(2)).isEqualTo(32);
        assertThat(Leases.share(3)).isEqualTo(22);
        assertThat(Leases.share(100)).isEqualTo(1);
        assertThat(Leases.share(0)).isEqualTo(64);
    }

    @Test
    void pausesDoubleUpToTheLongest() {
        Pauses pauses = new Pauses(Duration.ofMillis(100), Duration.ofSeconds(1));
        assertThat(pauses.after(1, 0)).isEqualTo(Duration.ofMillis(50));
        assertThat(pauses.after(3, 0.5)).isEqualTo(Duration.ofMillis(300));
        assertThat(pauses.after(1_000, 0)).isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void refusesAWrongValueWithASentence() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OutboxConfig.defaults().withTable("orders; DROP TABLE x"))
                .withMessageContaining("allowed is 1 to 40 lower-case letters");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OutboxConfig.defaults().withLeaseTime(Duration.ofMillis(10)))
                .withMessage("Outbox: lease-time is PT0.01S; allowed is 1 s to 10 min. Change lease-time.");
    }
}
