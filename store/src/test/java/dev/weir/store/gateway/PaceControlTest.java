package dev.weir.store.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PaceControlTest {

    private static final long SECOND = 1_000_000_000L;
    private static final Duration ASKED = Duration.ofSeconds(1);

    private final PaceControl control = new PaceControl(2_000, 0);

    @Test
    void staysAHundredthBelowTheLimitWhileNothingIsRefused() {
        assertThat(control.perSecond(0)).isEqualTo(1_980);
        assertThat(control.perSecond(3_600 * SECOND)).isEqualTo(1_980);
        assertThat(control.holdNanos(0)).isLessThanOrEqualTo(0);
    }

    @Test
    void oneRefusalLeadsBelowWhatTheProviderTookInTheSecondBefore() {
        takeEvenly(1_200, 0, SECOND);

        control.refused(SECOND - 1, ASKED, SECOND);

        assertThat(control.holdNanos(SECOND)).isEqualTo(SECOND);
        assertThat(control.perSecond(2 * SECOND)).isBetween(960.0, 1_081.0);
        assertThat(control.cuts()).isEqualTo(1);
    }

    @Test
    void oneRefusalInLightTrafficIsNoLimitAsLowAsTheTraffic() {
        takeEvenly(20, 0, SECOND);
        control.slack(SECOND / 2);

        control.refused(SECOND - 1, ASKED, SECOND);

        assertThat(control.perSecond(2 * SECOND)).isBetween(1_780.0, 1_783.0);
    }

    @Test
    void whatWasTakenCountsAgainOnceThePaceHasBeenUsedUpForASecond() {
        control.slack(SECOND);
        takeEvenly(1_200, SECOND, 2 * SECOND);

        control.refused(2 * SECOND - 1, ASKED, 2 * SECOND);

        assertThat(control.perSecond(3 * SECOND)).isBetween(960.0, 1_081.0);
    }

    @Test
    void refusalsOfWhatWasSentBeforeTheCutChangeNothing() {
        takeEvenly(1_200, 0, SECOND);
        control.refused(SECOND - 1, ASKED, SECOND);
        double pace = control.perSecond(3 * SECOND);

        control.refused(SECOND - 1, ASKED, SECOND + 1);

        assertThat(control.perSecond(3 * SECOND)).isEqualTo(pace);
        assertThat(control.cuts()).isEqualTo(1);
    }

    @Test
    void climbsSlowlyToWhereItWasRefusedAndFasterBeyond() {
        takeEvenly(1_200, 0, SECOND);
        control.refused(SECOND - 1, Duration.ZERO, SECOND);
        double ceiling = control.perSecond(SECOND) / 0.9;

        assertThat(control.perSecond(21 * SECOND)).isBetween(0.99 * ceiling, ceiling);
        assertThat(control.perSecond(31 * SECOND)).isBetween(0.999 * ceiling, 1.001 * ceiling);
        assertThat(control.perSecond(41 * SECOND)).isGreaterThan(ceiling + 90);
        assertThat(control.perSecond(241 * SECOND)).isEqualTo(1_980);
    }

    @Test
    void whatWasTakenInAMomentAfterAPauseIsNoLimit() {
        takeEvenly(1_200, 0, SECOND);
        control.refused(SECOND - 1, ASKED, SECOND);
        takeEvenly(30, 2 * SECOND, 2 * SECOND + SECOND / 20);

        control.refused(2 * SECOND, ASKED, 2 * SECOND + SECOND / 20);

        assertThat(control.perSecond(4 * SECOND)).isBetween(430.0, 490.0);
    }

    @Test
    void aProviderThatTookNothingHalvesThePace() {
        control.refused(0, Duration.ZERO, SECOND);

        assertThat(control.perSecond(SECOND)).isBetween(890.0, 892.0);
    }

    @Test
    void neverFallsBelowOneASecond() {
        for (int i = 0; i < 100; i++) {
            control.refused(i * SECOND, Duration.ZERO, i * SECOND);
        }

        assertThat(control.perSecond(100 * SECOND)).isGreaterThanOrEqualTo(1);
    }

    private void takeEvenly(int count, long from, long to) {
        for (int i = 0; i < count; i++) {
            control.taken(from + (to - from) * i / count);
        }
    }
}
