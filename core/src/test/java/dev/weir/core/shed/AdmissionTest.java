package dev.weir.core.shed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AdmissionTest {

    private final FakeClock clock = new FakeClock();

    private Admission fixed(int limit) {
        return new Admission(ShedConfig.fixed(limit).withQueue(QueueConfig.none()), clock, 1);
    }

    private static int fill(Admission admission, Priority priority, int requests) {
        int admitted = 0;
        for (int i = 0; i < requests; i++) {
            admitted += admission.tryEnter(priority, i) >= 0 ? 1 : 0;
        }
        return admitted;
    }

    @Test
    void divides5000PlacesInto4000And1000WhereBothAskForMore() {
        Admission admission = fixed(5_000);
        assertThat(fill(admission, Priority.LOW, 1_000)).isEqualTo(1_000);
        assertThat(fill(admission, Priority.NORMAL, 6_000)).isEqualTo(4_000);
        assertThat(fill(admission, Priority.CRITICAL, 6_000)).isZero();
        assertThat(admission.inFlight()).isEqualTo(5_000);
    }

    @Test
    void lowRequestsBorrowWhatIsUnusedAndLeaveTheHeadroomToItsOwners() {
        Admission admission = fixed(5_000);
        assertThat(fill(admission, Priority.LOW, 6_000)).isEqualTo(4_500);
        assertThat(fill(admission, Priority.NORMAL, 6_000)).isEqualTo(500);
    }

    @Test
    void aPlaceGivenBackIsFreeAgain() {
        Admission admission = fixed(1);
        long token = admission.tryEnter(Priority.CRITICAL, 1);
        assertThat(admission.tryEnter(Priority.CRITICAL, 1)).isNegative();
        admission.leave(token, Completion.SUCCESS);
        assertThat(admission.tryEnter(Priority.CRITICAL, 1)).isNotNegative();
    }

    @Test
    void aPermitClosedTwiceGivesOnePlaceBack() {
        Admission admission = fixed(2);
        var first = (Permit) admission.tryAcquire(new Caller(Priority.CRITICAL, 1));
        var second = (Permit) admission.tryAcquire(new Caller(Priority.CRITICAL, 2));
        first.close(Completion.DROPPED);
        first.close();
        assertThat(admission.inFlight()).isEqualTo(1);
        assertThat(first.closed()).isTrue();
        second.close();
        assertThat(admission.inFlight()).isZero();
    }

    @Test
    void anErrorGivesThePlaceBack() {
        Admission admission = fixed(1);
        assertThatThrownBy(() -> {
                    try (var permit = (Permit) admission.tryAcquire(new Caller(Priority.NORMAL, 1))) {
                        assertThat(permit.closed()).isFalse();
                        throw new StackOverflowError();
                    }
                })
                .isInstanceOf(StackOverflowError.class);
        assertThat(admission.inFlight()).isZero();
    }

    @Test
    void aRefusedTokenIsNotTakenBack() {
        Admission admission = fixed(1);
        assertThatThrownBy(() -> admission.leave(-1, Completion.SUCCESS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The token is -1: its request was refused and holds no place.");
    }

    @Test
    void countsRefusalsByReasonAndPriority() {
        Admission admission = fixed(1);
        fill(admission, Priority.NORMAL, 3);
        fill(admission, Priority.LOW, 4);
        assertThat(admission.admitted(Priority.NORMAL)).isEqualTo(1);
        assertThat(admission.refused(RefusalReason.LIMIT, Priority.NORMAL)).isEqualTo(2);
        assertThat(admission.refused(RefusalReason.LIMIT, Priority.LOW)).isEqualTo(4);
    }

    @Test
    void aDryRunCountsAndRefusesNobody() {
        var admission = new Admission(ShedConfig.fixed(1).asDryRun(), clock, 1);
        List<Outcome> outcomes = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            outcomes.add(admission.acquire(new Caller(Priority.NORMAL, i)));
        }
        assertThat(outcomes).hasOnlyElementsOfType(Permit.class);
        assertThat(admission.refused(RefusalReason.LIMIT, Priority.NORMAL)).isEqualTo(9);
        outcomes.forEach(outcome -> ((Permit) outcome).close());
        assertThat(admission.inFlight()).isZero();
    }

    @Test
    void aCallerOverItsQuotaIsToldWhenItMayComeAgain() {
        var config = ShedConfig.fixed(100).withQuota(new QuotaConfig(10, 3, 1_000));
        var admission = new Admission(config, clock, 1);
        for (int i = 0; i < 3; i++) {
            assertThat(admission.tryAcquire(new Caller(Priority.CRITICAL, 7))).isInstanceOf(Permit.class);
        }
        var refused = (Outcome.Refused) admission.tryAcquire(new Caller(Priority.CRITICAL, 7));
        assertThat(refused.reason()).isEqualTo(RefusalReason.QUOTA);
        assertThat(refused.reason().status()).isEqualTo(429);
        assertThat(refused.retryAfter()).isEqualTo(Duration.ofMillis(100));
        assertThat(admission.tryAcquire(new Caller(Priority.LOW, 8))).isInstanceOf(Permit.class);
        clock.advance(refused.retryAfter());
        assertThat(admission.tryAcquire(new Caller(Priority.CRITICAL, 7))).isInstanceOf(Permit.class);
    }

    @Test
    void retryAfterDiffersByCallerWithinItsBounds() {
        Admission admission = fixed(1);
        fill(admission, Priority.CRITICAL, 1);
        Set<Duration> times = new HashSet<>();
        for (int key = 0; key < 100; key++) {
            times.add(((Outcome.Refused) admission.tryAcquire(new Caller(Priority.LOW, key))).retryAfter());
        }
        assertThat(times)
                .hasSizeGreaterThan(80)
                .allMatch(time -> time.toMillis() >= 1_000 && time.toMillis() <= 30_000);
    }

    @Test
    void whereLittleIsRefusedNoPressureIsReportedAndWhereSomethingIsAllOfIt() {
        Admission admission = fixed(10);
        long token = admission.tryEnter(Priority.NORMAL, 1);
        clock.advance(Duration.ofMillis(200));
        assertThat(admission.stage()).isEqualTo(Stage.NORMAL);
        fill(admission, Priority.NORMAL, 20);
        clock.advance(Duration.ofMillis(200));
        admission.leave(token, Completion.SUCCESS);
        assertThat(admission.pressure()).isEqualTo(1);
        assertThat(admission.stage()).isEqualTo(Stage.REFUSE_LOW);
    }

    @Test
    void settingsThatCannotBeAreRefusedWithASentence() {
        assertThatThrownBy(() -> ShedConfig.fixed(0))
                .hasMessage("The limit is 0; it must lie between 1 and 1,000,000.");
        assertThatThrownBy(() -> new Shares(0.9, 0.2, 0.1))
                .hasMessage(
                        "The shares are 0.9 (normal) and 0.2 (low); each must be 0 or more and both together at most 1.");
        assertThatThrownBy(() -> new Signals(Double.NaN, 0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new QuotaConfig(0, 1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new QueueConfig(1, Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void signalsOfOneWhoStoppedTellingThemDoNotHold() {
        Admission admission = fixed(10);
        admission.signals(new Signals(0, 1, 0));
        clock.advance(Duration.ofSeconds(1));
        assertThat(admission.servicePressure().stage()).isEqualTo(Stage.SERVE_STALE);
        for (int i = 0; i < 10; i++) {
            clock.advance(Duration.ofSeconds(1));
            assertThat(admission.stage()).isNotNull();
        }
        assertThat(admission.servicePressure().pressure()).isLessThan(0.01);
        assertThat(admission.servicePressure().stage()).isEqualTo(Stage.NORMAL);
    }
}
