package dev.weir.lab.knee;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.lab.knee.Slo.LatencyBound;
import dev.weir.lab.measure.Measurement;
import dev.weir.lab.measure.SampleRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SloTest {

    @Test
    void readsLatencyAndErrors() {
        Slo slo = Slo.parse("p99<200ms, p99.9 < 1s,max<=2s,errors<0.1%");

        assertThat(slo.latency())
                .containsExactly(
                        new LatencyBound(99, 200), new LatencyBound(99.9, 1_000), new LatencyBound(100, 2_000));
        assertThat(slo.maxErrorShare()).isEqualTo(0.001);
    }

    @Test
    void boundsErrorsWhereNoClauseDoes() {
        assertThat(Slo.parse("p50<5ms").maxErrorShare()).isEqualTo(Slo.DEFAULT_MAX_ERROR_SHARE);
    }

    @Test
    void writesItselfAsItIsRead() {
        Slo slo = Slo.parse("p99<200ms,p99.9<1500us,max<10s,errors<2.5%");

        assertThat(slo.text()).isEqualTo("p99<200ms,p99.9<1.5ms,max<10000ms,errors<2.5%");
        assertThat(Slo.parse(slo.text())).isEqualTo(slo);
    }

    @Test
    void tellsWhatARunBreaksWithItsFigures() {
        Measurement run = new SampleRun().latencyMicros(30_000).timedOut(100).measurement();

        assertThat(Slo.parse("p50<10ms,p99<1s,errors<0.5%").broken(run))
                .containsExactly("p50<10ms: it is 30.06 ms", "errors<0.5%: it is 1%");
        assertThat(Slo.parse("p99<50ms,errors<1%").broken(run)).isEmpty();
    }

    @Test
    void isBrokenWhereNothingCompleted() {
        Measurement run = new SampleRun().timedOut(10_000).measurement();

        assertThat(Slo.parse("p99<50ms,errors<100%").broken(run)).containsExactly("p99<50ms: nothing completed");
    }

    @Test
    void allowsNoErrorAtAll() {
        assertThat(Slo.parse("errors<0%").maxErrorShare()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "p99",
                "p99>1ms",
                "p99<200",
                "p99<1e3ms",
                "p99<NaNms",
                "p99<0ms",
                "p100<1ms",
                "p99<-5ms",
                "errors<1",
                "errors<101%",
                "errors<1%,errors<2%",
                "p99<1ms,,errors<1%",
                "mean<1ms"
            })
    void refusesWhatIsNoObjectiveInOneSentenceThatQuotesIt(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Slo.parse(text))
                .withMessageContaining("objective '" + text + "'")
                .withMessageMatching("(?s)[^\\n]+");
    }
}
