package dev.weir.starter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RateTest {

    @ParameterizedTest
    @CsvSource({"500/s,500", "10k/s,10000", "1.5M/s,1500000", "0.5/s,0.5"})
    void readsANumberASecond(String text, double perSecond) {
        assertThat(Rate.of(text).perSecond()).isEqualTo(perSecond);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "500", "/s", "0/s", "-1/s", "1K/s", "500/min", "1e3/s", "10 k/s"})
    void refusesEverythingElseWithWhatIsAllowed(String text) {
        assertThatThrownBy(() -> Rate.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("such as 500/s, 10k/s or 1.5M/s");
    }

    @Test
    void isShownAsItIsRead() {
        assertThat(Rate.of("10k/s")).hasToString("10000/s");
        assertThat(Rate.of(Rate.of("0.5/s").toString())).isEqualTo(new Rate(0.5));
    }
}
