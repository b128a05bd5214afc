package dev.weir.core.shed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.shed.LimitMode.Adaptive;
import java.time.Duration;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

/** Fed with windows of services whose throughput and latency follow from the limit by a formula. */
class AdaptiveLimitTest {

    private static final double SERVICE_MILLIS = 10;

    private final AdaptiveLimit limit = new AdaptiveLimit(Adaptive.defaults());
    private double now = 60;

    /** A window of one second in which the limit held requests up. */
    private void bound(int inFlight, double perSecond, double latencyMillis) {
        window(inFlight, perSecond, latencyMillis, true, 0, 0, 0);
    }

    private void idle(int inFlight, double perSecond, double latencyMillis) {
        window(inFlight, perSecond, latencyMillis, false, 0, 0, 0);
    }

    private void window(
            int inFlight,
            double perSecond,
            double latencyMillis,
            boolean bound,
            long dropped,
            double downstream,
            double strain) {
        now++;
        var window = new Window(
                now,
                1,
                Math.round(perSecond),
                dropped,
                Math.round(perSecond),
                latencyMillis * 0.7e6,
                latencyMillis * 1e6,
                inFlight,
                bound);
        applied = limit.update(window, downstream, strain);
    }

    private int applied = 64;

    /** Runs an overloaded service that serves some at once. */
    private void overload(int seconds, int servers) {
        for (int i = 0; i < seconds; i++) {
            double busy = Math.min(applied, servers);
            bound(applied, busy / SERVICE_MILLIS * 1e3, SERVICE_MILLIS * Math.max(1, (double) applied / servers));
        }
    }

    @Test
    void rises20FoldWhereThroughputFollows() {
        overload(120, 1_300);
        assertThat(limit.limit()).isBetween(1_170, 1_900);
    }

    @Test
    void fallsToWhatIsNeededWhereOnlyTheLatencyFollows() {
        overload(120, 20);
        assertThat(limit.limit()).isBetween(18, 26);
    }

    @Test
    void staysWithinAFifthForHoursOfOverload() {
        overload(120, 40);
        int settled = limit.limit();
        for (int minute = 0; minute < 600; minute++) {
            overload(60, 40);
            assertThat(limit.limit()).isBetween((int) (settled * 0.8), (int) Math.ceil(settled * 1.2));
        }
    }

    @Test
    void aServiceThatSlowsDownIsNotTakenForTheNorm() {
        for (int i = 0; i < 60; i++) {
            idle(8, 800, SERVICE_MILLIS);
        }
        for (int i = 0; i < 3_600; i++) {
            idle(60, 60, 5_000);
        }
        assertThat(limit.healthyNanos()).isEqualTo(1e9);
    }

    @Test
    void cutsAtOnceWhenTheLimitHoldsUpAndTheLatencyIsFarFromHealthy() {
        for (int i = 0; i < 60; i++) {
            idle(8, 800, SERVICE_MILLIS);
        }
        bound(64, 800, 80);
        assertThat(limit.limit()).isEqualTo(32);
        bound(32, 800, 40);
        bound(32, 800, 40);
        assertThat(limit.limit()).isEqualTo(16);
    }

    @Test
    void takesACutBackWhereTheServiceOnlyBecameSlower() {
        for (int i = 0; i < 60; i++) {
            idle(20, 2_000, SERVICE_MILLIS);
        }
        for (int i = 0; i < 60 && applied < 100; i++) {
            bound(applied, applied / 0.050, 50);
        }
        assertThat(limit.limit()).isGreaterThanOrEqualTo(90);
        assertThat(limit.healthyNanos()).isEqualTo(50e6);
    }

    @Test
    void keepsACutWhereTheLatencyIsAboveTheCeiling() {
        for (int i = 0; i < 60; i++) {
            idle(20, 2_000, SERVICE_MILLIS);
        }
        for (int i = 0; i < 10; i++) {
            bound(applied, applied / 3.0, 3_000);
        }
        assertThat(limit.limit()).isLessThan(64);
        assertThat(limit.healthyNanos()).isLessThanOrEqualTo(1e9);
    }

    @Test
    void neverFollowsALuckyWindow() {
        for (int i = 0; i < 60; i++) {
            idle(8, 800, SERVICE_MILLIS);
        }
        idle(8, 800, 0.01);
        assertThat(limit.healthyNanos()).isGreaterThan(6e6);
    }

    @Test
    void staysWhereNobodyIsHeldUp() {
        for (int i = 0; i < 3_600; i++) {
            idle(i % 50, 300 + i % 100, SERVICE_MILLIS + i % 7);
        }
        assertThat(limit.limit()).isEqualTo(64);
    }

    @Test
    void isNeverRaisedAboveASmallMultipleOfWhatWasInFlight() {
        for (int i = 0; i < 600; i++) {
            bound(20, applied * 100, SERVICE_MILLIS);
        }
        assertThat(limit.limit()).isBetween(64, 80);
    }

    @Test
    void learnsNothingInTheFirstSeconds() {
        var cold = new AdaptiveLimit(Adaptive.defaults());
        for (int second = 1; second <= 5; second++) {
            cold.update(new Window(second, 1, 1_000, 0, 1_000, 1e9, 1e9, 64, true), 0, 0);
        }
        assertThat(cold.limit()).isEqualTo(64);
        assertThat(cold.healthyNanos()).isZero();
    }

    @Test
    void fallsWhileWhatComesAfterIsAtItsEndAndDoesNotRiseWhileTheCpuIs() {
        for (int i = 0; i < 10; i++) {
            window(64, 800, SERVICE_MILLIS, false, 0, 1, 1);
        }
        assertThat(limit.limit()).isLessThan(55);
        int lowered = limit.limit();
        IntToDoubleFunction proportional = places -> places * 100;
        for (int i = 0; i < 60; i++) {
            window(applied, proportional.applyAsDouble(applied), SERVICE_MILLIS, true, 0, 0, 1);
        }
        assertThat(limit.limit()).isEqualTo(lowered);
    }

    @Test
    void dropsLowerIt() {
        window(64, 800, SERVICE_MILLIS, false, 100, 0, 0);
        assertThat(limit.limit()).isLessThan(64);
    }

    @Test
    void theCeilingOfHealthyLatencyIsASetting() {
        var strict = new AdaptiveLimit(new Adaptive(64, 4, 1_000, 4, Duration.ofMillis(50), Duration.ZERO));
        strict.update(new Window(1, 1, 100, 0, 100, 1e9, 1e9, 8, false), 0, 0);
        assertThat(strict.healthyNanos()).isEqualTo(50e6);
    }
}
