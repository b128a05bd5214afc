package dev.weir.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class FiguresTest {

    @Test
    void keepsAboutThreeDigits() {
        assertThat(Figures.number(1_234_567.8)).isEqualTo("1,234,568");
        assertThat(Figures.number(98.76)).isEqualTo("98.8");
        assertThat(Figures.number(9.876)).isEqualTo("9.88");
        assertThat(Figures.number(0.09876)).isEqualTo("0.099");
        assertThat(Figures.number(0.0)).isEqualTo("0");
    }

    @Test
    void whatIsMissingIsADash() {
        assertThat(Figures.number(null)).isEqualTo("–");
        assertThat(Figures.number(Double.NaN)).isEqualTo("–");
        assertThat(Figures.rate(null)).isEqualTo("–");
        assertThat(Figures.millis(Double.NaN)).isEqualTo("–");
        assertThat(Figures.ratio(0.0, 3.0)).isEqualTo("–");
        assertThat(Figures.ratio(null, 3.0)).isEqualTo("–");
        assertThat(Figures.ratio(2.0, null)).isEqualTo("–");
        assertThat(Figures.present(-1)).isNull();
        assertThat(Figures.plotted(Double.POSITIVE_INFINITY)).isNull();
    }

    @Test
    void infiniteIsItsSign() {
        assertThat(Figures.rate(Double.POSITIVE_INFINITY)).isEqualTo("∞/s");
    }

    @Test
    void namesUnits() {
        assertThat(Figures.rate(4_000.0)).isEqualTo("4,000/s");
        assertThat(Figures.rate(50.0)).isEqualTo("50/s");
        assertThat(Figures.percent(0.0712)).isEqualTo("7.12\u00a0%");
        assertThat(Figures.ratio(2.0, 5.0)).isEqualTo("2.50\u00a0×");
        assertThat(Figures.gibibytes(16L << 30)).isEqualTo("16.0\u00a0GiB");
        assertThat(Figures.count(1, "step")).isEqualTo("1\u00a0step");
        assertThat(Figures.count(1_400, "step")).isEqualTo("1,400\u00a0steps");
        assertThat(Figures.duration(Duration.ofMillis(850))).isEqualTo("850\u00a0ms");
        assertThat(Figures.duration(Duration.ofMillis(12_340))).isEqualTo("12.3\u00a0s");
        assertThat(Figures.duration(Duration.ofSeconds(161))).isEqualTo("2\u00a0min 41\u00a0s");
    }
}
