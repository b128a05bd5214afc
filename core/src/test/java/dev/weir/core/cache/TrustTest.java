package dev.weir.core.cache;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TrustTest {
    private static final long BOUND = 100;
    private static final long SETTLE = 50;

    private final Trust trust = new Trust(BOUND, SETTLE, 0);

    @BeforeEach
    void settle() {
        trust.subscribed(0);
        comesBack(1, SETTLE, SETTLE);
        assertThat(trust.trusted(SETTLE)).isTrue();
    }

    @Test
    void endsABoundAfterTheLatestBeatThatCameBackWasSent() {
        comesBack(2, 100, 149);

        assertThat(trust.trusted(199)).isTrue();
        assertThat(trust.trusted(200)).isFalse();
    }

    @Test
    void doesNotBeginWithABeatSentWhileTheNumbersAreLearned() {
        trust.subscribed(100);
        assertThat(trust.trusted(100)).isFalse();

        comesBack(2, 149, 160);
        assertThat(trust.trusted(160)).isFalse();

        comesBack(3, 150, 161);
        assertThat(trust.trusted(161)).isTrue();
    }

    @Test
    void settlesAgainOnASubscriptionThatLivedWhereItHadRunOut() {
        comesBack(2, 120, 160);
        assertThat(trust.trusted(160)).as("had run out at 150").isFalse();

        comesBack(3, 200, 205);
        assertThat(trust.trusted(205)).as("sent before the settling was over").isFalse();

        comesBack(4, 210, 215);
        assertThat(trust.trusted(215)).isTrue();
    }

    @Test
    void endsWithTheSubscriptionAndNoBeatBringsItBack() {
        trust.away(60);
        assertThat(trust.trusted(60)).isFalse();

        comesBack(2, 200, 201);
        assertThat(trust.trusted(201)).isFalse();
    }

    @Test
    void aBeatOfWhichNothingIsKnownProvesNothing() {
        trust.extend(77, 60);

        assertThat(trust.trusted(SETTLE + BOUND)).isFalse();
    }

    private void comesBack(long beat, long sentNanos, long nowNanos) {
        trust.sent(beat, sentNanos);
        trust.extend(beat, nowNanos);
    }
}
