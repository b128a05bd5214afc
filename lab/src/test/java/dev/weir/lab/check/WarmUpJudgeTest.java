package dev.weir.lab.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.lab.check.WarmUpJudge.Next;
import org.junit.jupiter.api.Test;

class WarmUpJudgeTest {
    private final WarmUpJudge judge = new WarmUpJudge();

    @Test
    void restsOnceThroughputIsFlatAndBelievesItWhereItDoesNotRiseAfterwards() {
        add(10_000, 10_100, 10_050);
        assertThat(judge.next(false)).isInstanceOf(Next.Rest.class);

        add(10_080);
        assertThat(judge.next(false)).isInstanceOfSatisfying(Next.Over.class, over -> {
            assertThat(over.settled()).isTrue();
            assertThat(over.why()).contains("flat at 10080/s");
        });
    }

    @Test
    void goesOnWhereARestMadeTheServiceFaster() {
        add(3_300, 3_310, 3_305);
        assertThat(judge.next(false)).isInstanceOf(Next.Rest.class);

        add(7_800);
        assertThat(judge.next(false)).isInstanceOf(Next.Load.class);
    }

    @Test
    void goesOnWhileThroughputRises() {
        add(1_000, 5_000, 9_000);

        assertThat(judge.next(false)).isInstanceOf(Next.Load.class);
    }

    @Test
    void goesOnWhileTheCompilersWork() {
        for (int i = 0; i < 5; i++) {
            judge.add(10_000, 1, 0.9);
        }

        assertThat(judge.next(false)).isInstanceOf(Next.Load.class);
    }

    @Test
    void takesTheScatterOfFewRequestsForWhatItIs() {
        add(20, 26, 17);

        assertThat(judge.next(false)).isInstanceOf(Next.Rest.class);
    }

    @Test
    void saysWhyItIsNotBelievedWhenTheTimeIsUp() {
        add(1_000, 5_000, 9_000);

        assertThat(judge.next(true)).isInstanceOfSatisfying(Next.Over.class, over -> {
            assertThat(over.settled()).isFalse();
            assertThat(over.why()).contains("1000/s to 9000/s");
        });
    }

    private void add(double... perSecond) {
        for (double each : perSecond) {
            judge.add(each, 1, null);
        }
    }
}
