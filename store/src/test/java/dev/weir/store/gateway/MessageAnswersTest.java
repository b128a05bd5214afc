package dev.weir.store.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.gateway.MessageTable.Count;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class MessageAnswersTest {

    private static final UUID ID = new UUID(1, 1);
    private static final Instant NOW = Instant.ofEpochSecond(1_000);
    private static final Duration SEND = Duration.ofMillis(200);
    private static final Duration WAY = Duration.ofMillis(20);

    private final QueueView view = new QueueView(() -> 0, () -> 100, () -> WAY.plus(SEND));
    private final MessageAnswers answers = new MessageAnswers(view, () -> 100, () -> SEND, InstantSource.fixed(NOW));

    @Test
    void aMessageThatIsAskedForWaitsForItsRecipientsEarlierOnes() {
        view.accepted(Map.of("c", new Count(10, 0)));

        assertThat(waitMillis(9, Duration.ZERO)).isEqualTo(10 * SEND.toMillis());
        assertThat(waitMillis(0, Duration.ZERO)).isEqualTo(WAY.plus(SEND).toMillis());
    }

    @Test
    void aMessageThatIsTriedAgainIsNotPromisedBeforeItsNextAttempt() {
        view.accepted(Map.of("c", new Count(10, 0)));

        assertThat(waitMillis(0, Duration.ofSeconds(30))).isEqualTo(30_000 + SEND.toMillis());
        assertThat(waitMillis(3, Duration.ofSeconds(30))).isEqualTo(30_000 + 4 * SEND.toMillis());
    }

    @Test
    void acceptedAndAskedForAreEstimatedAlike() {
        view.accepted(Map.of("c", new Count(10, 0)));
        var queued = new Acceptance.Queued(ID, 10, 4, Duration.ofSeconds(2), NOW);

        assertThat(answers.accepted("c", queued, null)).isEqualTo(answers.stored(stored(4, Duration.ofSeconds(2))));
    }

    @Test
    void theLongerOfQueueAndRecipientCounts() {
        view.accepted(Map.of("c", new Count(1_000, 0)));
        view.refresh(view.known(), Map.of("c", new Count(1_000, 0)));
        var queued = new Acceptance.Queued(ID, 1_000, 4, Duration.ZERO, NOW);

        MessageAnswer.Estimate estimate =
                Objects.requireNonNull(answers.accepted("c", queued, null).estimate());

        assertThat(estimate.waitMillis()).isEqualTo(10_000);
        assertThat(estimate.sendAt()).isEqualTo(NOW.plusSeconds(10));
    }

    private long waitMillis(int before, Duration delay) {
        return Objects.requireNonNull(answers.stored(stored(before, delay)).estimate())
                .waitMillis();
    }

    private static StoredMessage stored(int before, Duration delay) {
        return new StoredMessage(
                ID, "c", "r", 10, MessageStatus.QUEUED, null, null, null, NOW, null, null, before, delay);
    }
}
