package dev.weir.lab.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.lab.measure.FailureKind;
import dev.weir.lab.measure.SecondSample;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class RecorderTest {
    private static final long START = -5_000_000_000L;
    private static final long MILLI = 1_000_000L;

    private final Recorder recorder = new Recorder(false);

    RecorderTest() {
        recorder.begin(START);
        recorder.scheduleEndsAt(at(2_500));
    }

    private static long at(long millis) {
        return START + millis * MILLI;
    }

    private Recorder.Sum sum() {
        recorder.finish();
        Recorder.Sum sum = new Recorder.Sum();
        recorder.addTo(sum);
        return sum;
    }

    private SecondSample second(int index) {
        recorder.publish();
        return Second.sum(index, Arrays.asList(recorder.second(index)), Recorder.SECOND_NANOS);
    }

    @Test
    void countsOfferedAndLatencyWhereIntendedAndTheRestWhereItHappens() {
        recorder.offered(at(900));
        recorder.sent(at(900), at(1_100));
        recorder.completed(at(900), at(1_100), at(2_050), 200);

        assertThat(second(0)).returns(1L, SecondSample::offered).returns(0L, SecondSample::sent);
        assertThat(second(0).p99Nanos()).isBetween(1_130 * MILLI, 1_170 * MILLI);
        assertThat(second(1)).returns(1L, SecondSample::sent).returns(0L, SecondSample::completed);
        assertThat(second(2)).returns(1L, SecondSample::completed).returns(0L, SecondSample::p99Nanos);
    }

    @Test
    void integratesTheRequestsInFlightOverEachSecondAndOverTheSchedule() {
        recorder.sent(at(500), at(500));
        recorder.sent(at(500), at(500));
        recorder.completed(at(500), at(500), at(1_250), 200);
        recorder.completed(at(500), at(500), at(2_900), 200);

        assertThat(second(0).meanInFlight()).isEqualTo(1.0);
        assertThat(second(1).meanInFlight()).isEqualTo(1.25);
        assertThat(sum().inFlightNanos).isEqualTo((750 + 2_000) * MILLI);
    }

    @Test
    void tellsCompletionsWhileDrainingApart() {
        recorder.sent(at(0), at(0));
        recorder.sent(at(0), at(0));
        recorder.completed(at(0), at(0), at(2_400), 200);
        recorder.completed(at(0), at(0), at(2_600), 200);

        assertThat(sum()).returns(2L, sum -> sum.completed).returns(1L, sum -> sum.completedInSchedule);
    }

    @Test
    void aRequestIsLateWhenSentMoreThanAMillisecondAfterItsTime() {
        recorder.sent(at(10), at(11));
        recorder.sent(at(10), at(11) + 1);

        assertThat(sum().late).isEqualTo(1);
    }

    @Test
    void givenUpRequestsEnterTheLatenciesAtTheirAgeAndRefusedOnesDoNot() {
        recorder.sent(at(0), at(100));
        recorder.failedInFlight(FailureKind.TIMEOUT, "slow", at(0), at(100), at(600));
        recorder.sent(at(0), at(100));
        recorder.failedInFlight(FailureKind.CLOSED, "gone", at(0), at(100), at(700));
        recorder.failedUnsent(FailureKind.CONNECT, "refused", at(700), at(700));
        recorder.failedUnsent(FailureKind.UNFINISHED, "over", at(400), at(2_500));

        Recorder.Sum sum = sum();
        assertThat(sum.fromIntended.getTotalCount()).isEqualTo(2);
        assertThat(sum.fromSent.getTotalCount()).isEqualTo(1);
        assertThat(sum.fromSent.getMaxValue()).isBetween(499 * MILLI, 501 * MILLI);
        assertThat(sum.fromIntended.getMaxValue()).isBetween(2_098 * MILLI, 2_103 * MILLI);
    }

    @Test
    void keepsTheFirstReasonOfEachKind() {
        recorder.failedUnsent(FailureKind.CONNECT, "first", at(1), at(1));
        recorder.failedUnsent(FailureKind.CONNECT, "second", at(2), at(2));

        Recorder.Sum sum = sum();
        assertThat(sum.examples).containsEntry(FailureKind.CONNECT, "first");
        assertThat(sum.failures).containsEntry(FailureKind.CONNECT, 2L);
    }

    @Test
    void aStatusOutside200To399IsACompleteResponseAndAFailure() {
        for (int status : new int[] {199, 200, 399, 400}) {
            recorder.sent(at(0), at(0));
            recorder.completed(at(0), at(0), at(1), status);
        }

        Recorder.Sum sum = sum();
        assertThat(sum.completed).isEqualTo(4);
        assertThat(sum.failures).containsEntry(FailureKind.STATUS, 2L);
    }
}
