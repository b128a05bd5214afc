package dev.weir.store.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LeaseTest {

    private static final long SECOND = 1_000_000_000L;

    private final Lease lease = new Lease(Duration.ofSeconds(10), 0);

    @Test
    void isNotHeldBeforeTheOthersKnow() {
        lease.confirmed(0);
        lease.alone(0);

        assertThat(lease.isHeld(0)).isFalse();
    }

    @Test
    void lastsForAPartOfTheSessionAfterTheQuestionThatKafkaAnswered() {
        lease.enter(false, 0);
        lease.confirmed(5 * SECOND);
        lease.confirmed(SECOND);

        assertThat(lease.isHeld(12 * SECOND)).isTrue();
        assertThat(lease.isHeld(13 * SECOND)).isFalse();
        lease.confirmed(13 * SECOND);
        assertThat(lease.isHeld(13 * SECOND)).isTrue();
    }

    @Test
    void whoIsAloneNeedsNoKafka() {
        lease.enter(false, 0);

        for (long second = 0; second < 100; second++) {
            lease.alone(second * SECOND);
            assertThat(lease.isHeld((second + 1) * SECOND)).isTrue();
        }
        assertThat(lease.isHeld(102 * SECOND)).isFalse();
    }

    @Test
    void whoFindsOthersWaitsUntilNoneOfThemCanThinkItselfAlone() {
        lease.enter(true, 0);
        lease.confirmed(0);

        assertThat(lease.isHeld(SECOND)).isFalse();
        assertThat(lease.isHeld(2 * SECOND)).isTrue();
    }
}
