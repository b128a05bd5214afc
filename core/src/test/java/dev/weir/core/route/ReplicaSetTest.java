package dev.weir.core.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.route.ReplicaSet.AllBehind;
import dev.weir.core.route.ReplicaSet.Choice;
import dev.weir.core.route.ReplicaSet.NoneServes;
import dev.weir.core.route.ReplicaSet.State;
import dev.weir.core.route.ReplicaSet.Take;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ReplicaSetTest {

    private static final ReplicaPolicy POLICY =
            new ReplicaPolicy(1000, Duration.ofSeconds(2), 2, 3, Duration.ofSeconds(10));

    private final ReplicaSet set = new ReplicaSet(List.of("a", "b"), List.of(1.0, 1.0), POLICY);
    private final SplittableRandom random = new SplittableRandom(1);

    @Test
    void nothingServesBeforeItsFirstGoodSample() {
        assertThat(choose(0, 0)).isInstanceOf(NoneServes.class);
        primaryAt(100, 0);
        sampled(0, 100, 0);
        assertThat(choose(0, 0)).isEqualTo(new Take(0));
    }

    @Test
    void aReplicaOfUnknownAgeTakesNoReadsUntilItHasReachedAPositionSeen() {
        sampled(0, 100, 0);
        assertThat(set.view(0).state()).as("before the primary answered").isEqualTo(State.NEW);

        primaryAt(200, 0);
        sampled(0, 199, 10);
        primaryAt(300, 500);
        sampled(0, 199, 600);
        assertThat(set.view(0).state())
                .as("stands still for who knows how long")
                .isEqualTo(State.NEW);

        sampled(0, 200, 700);
        assertThat(set.view(0).state()).isEqualTo(State.SERVING);
    }

    @Test
    void aReplicaTooManyBytesBehindNeedsNoAgeToBeRefused() {
        primaryAt(2000, 0);
        sampled(0, 100, 0);
        assertThat(set.view(0).state()).isEqualTo(State.BEHIND);
    }

    @Test
    void aSessionTakesOnlyAReplicaThatHasReplayedItsWrite() {
        serving();
        primaryAt(150, 100);
        sampled(1, 150, 100);

        for (int i = 0; i < 50; i++) {
            assertThat(choose(120, 100)).isEqualTo(new Take(1));
        }
        assertThat(choose(151, 100)).isInstanceOf(AllBehind.class);
        assertThat(choose(Lsn.PRIMARY_ONLY, 100)).isInstanceOf(AllBehind.class);
    }

    @Test
    void aReplicaThatFailedOnceIsKeptAndOneThatFailedTwiceIsNot() {
        serving();
        assertThat(set.failed(0, nanos(10))).isFalse();
        assertThat(set.view(0).state()).isEqualTo(State.SERVING);
        assertThat(set.failed(0, nanos(20))).isTrue();
        assertThat(set.view(0).state()).isEqualTo(State.FAILED);
        assertThat(set.failed(0, nanos(30))).isFalse();
        for (int i = 0; i < 50; i++) {
            assertThat(choose(0, 30)).isEqualTo(new Take(1));
        }
    }

    @Test
    void failuresCountOnlyInARow() {
        serving();
        set.failed(0, nanos(10));
        sampled(0, 100, 20);
        set.failed(0, nanos(30));
        assertThat(set.view(0).state()).isEqualTo(State.SERVING);
    }

    @Test
    void aReplicaTooManyBytesBehindIsEjected() {
        serving();
        primaryAt(1101, 100);
        assertThat(set.sampled(0, 100, true, nanos(100))).isTrue();
        assertThat(set.view(0).state()).isEqualTo(State.BEHIND);
        assertThat(set.view(0).lagBytes()).isEqualTo(1001);
    }

    @Test
    void aReplicaThatStandsStillIsEjectedWhenItsStateIsTooOld() {
        serving();
        for (int millis = 100; millis <= 4000 && set.view(0).state() == State.SERVING; millis += 100) {
            primaryAt(100 + millis / 100, millis);
            sampled(0, 100, millis);
        }
        assertThat(set.view(0).state()).isEqualTo(State.BEHIND);
        assertThat(set.view(0).lagBytes()).isLessThan(30);
    }

    @Test
    void onAnIdlePrimaryNoReplicaIsEverTooOld() {
        serving();
        for (int millis = 100; millis <= 60_000; millis += 100) {
            primaryAt(100, millis);
            sampled(0, 100, millis);
        }
        assertThat(set.view(0).state()).isEqualTo(State.SERVING);
    }

    @Test
    void whileThePrimaryIsAwayItsReplicasGoOnServing() {
        serving();
        primaryAt(200, 100);
        for (int millis = 200; millis <= 60_000; millis += 100) {
            sampled(0, 150, millis);
        }
        assertThat(set.view(0).state()).isEqualTo(State.SERVING);
    }

    @Test
    void aPromotedReplicaTakesNoReads() {
        serving();
        assertThat(set.sampled(0, 0, false, nanos(10))).isTrue();
        assertThat(set.view(0).state()).isEqualTo(State.NOT_A_STANDBY);
        assertThat(choose(0, 10)).isEqualTo(new Take(1));
    }

    @Test
    void aReplicaOfAnotherClusterTakesNoReadsUntilItBelongsToThePrimarys() {
        serving();
        assertThat(set.foreign(0, nanos(10))).isTrue();
        assertThat(set.view(0).state()).isEqualTo(State.OTHER_CLUSTER);
        assertThat(choose(0, 10)).isEqualTo(new Take(1));
        assertThat(set.foreign(0, nanos(20))).isFalse();
        for (int millis = 30; millis < 33; millis++) {
            sampled(0, 100, millis);
        }
        assertThat(set.view(0).state()).isEqualTo(State.WARMING);
    }

    @Test
    void theLagIsUnknownUntilBothHaveAnsweredAndWhileAReplicaFails() {
        assertThat(set.view(0).lag()).isEqualTo("lag unknown");
        sampled(0, 100, 0);
        assertThat(set.view(0).isLagKnown()).as("the primary has not answered").isFalse();
        primaryAt(150, 10);
        sampled(0, 100, 20);
        assertThat(set.view(0).lag()).isEqualTo("50 bytes behind");
        set.failed(0, nanos(30));
        set.failed(0, nanos(40));
        assertThat(set.view(0).lag()).isEqualTo("lag unknown");
        set.sampled(1, 0, false, nanos(50));
        assertThat(set.view(1).lag()).as("a primary is not behind itself").isEqualTo("lag unknown");
    }

    @Test
    void anEjectedReplicaComesBackByGoodSamplesInARowAndSlowly() {
        serving();
        set.failed(0, nanos(0));
        set.failed(0, nanos(0));
        sampled(0, 100, 100);
        sampled(0, 100, 200);
        set.failed(0, nanos(250));
        sampled(0, 100, 300);
        sampled(0, 100, 400);
        assertThat(set.view(0).state()).isEqualTo(State.FAILED);
        sampled(0, 100, 500);
        assertThat(set.view(0).state()).isEqualTo(State.WARMING);

        double early = shareOfFirst(500);
        double middle = shareOfFirst(5500);
        assertThat(early).isBetween(0.02, 0.09);
        assertThat(middle).isBetween(0.28, 0.38);

        sampled(0, 100, 10_500);
        assertThat(set.view(0).state()).isEqualTo(State.SERVING);
        assertThat(shareOfFirst(10_500)).isBetween(0.45, 0.55);
    }

    @Test
    void oneThatIsOnlyJustWithinTheLimitDoesNotComeBack() {
        serving();
        primaryAt(1201, 100);
        sampled(0, 100, 100);
        for (int i = 1; i < 10; i++) {
            sampled(0, 500, 100 + i);
        }
        assertThat(set.view(0).state()).isEqualTo(State.BEHIND);
        sampled(0, 900, 200);
        sampled(0, 900, 201);
        sampled(0, 900, 202);
        assertThat(set.view(0).state()).isEqualTo(State.WARMING);
    }

    @Test
    void theOneWithLessWorkForItsWeightIsPreferred() {
        serving();
        for (int i = 0; i < 10; i++) {
            set.started(0);
        }
        assertThat(shareOfFirst(0)).isBetween(0.2, 0.3);
    }

    @Test
    void sharesFollowTheWeights() {
        var weighted = new ReplicaSet(List.of("a", "b"), List.of(3.0, 1.0), POLICY);
        weighted.primaryAt(100, 0);
        weighted.sampled(0, 100, true, 0);
        weighted.sampled(1, 100, true, 0);
        int first = 0;
        for (int i = 0; i < 10_000; i++) {
            first += weighted.choose(0, 0, 0, random::nextInt).equals(new Take(0)) ? 1 : 0;
        }
        assertThat(first).isBetween(7000, 9700);
    }

    @Test
    void whatIsExcludedIsNotChosen() {
        serving();
        assertThat(set.choose(0, 0b01, 0, random::nextInt)).isEqualTo(new Take(1));
        assertThat(set.choose(0, 0b11, 0, random::nextInt)).isInstanceOf(NoneServes.class);
    }

    private void serving() {
        primaryAt(100, 0);
        sampled(0, 100, 0);
        sampled(1, 100, 0);
    }

    private double shareOfFirst(long nowMillis) {
        int first = 0;
        for (int i = 0; i < 10_000; i++) {
            first += choose(0, nowMillis).equals(new Take(0)) ? 1 : 0;
        }
        return first / 10_000.0;
    }

    private Choice choose(long lsn, long nowMillis) {
        return set.choose(lsn, 0, nanos(nowMillis), random::nextInt);
    }

    private void primaryAt(long lsn, long nowMillis) {
        set.primaryAt(lsn, nanos(nowMillis));
    }

    private void sampled(int index, long lsn, long nowMillis) {
        set.sampled(index, lsn, true, nanos(nowMillis));
    }

    private static long nanos(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
