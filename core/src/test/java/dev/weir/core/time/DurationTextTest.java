package dev.weir.core.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationTextTest {

    @ParameterizedTest
    @CsvSource({
        "PT0S,0s",
        "PT0.005S,5ms",
        "PT-0.001S,-1ms",
        "PT0.0000005S,500ns",
        "PT0.00002S,20us",
        "PT1.5S,1500ms",
        "PT90S,90s",
        "PT-2M,-2m",
        "PT1M,1m",
        "PT36H,36h",
        "PT960H,40d",
    })
    void isWrittenInTheLargestUnitThatDividesIt(String given, String text) {
        assertThat(DurationText.of(Duration.parse(given))).isEqualTo(text);
    }

    @Test
    void absurdOnesHaveATextAsWell() {
        assertThat(DurationText.of(Duration.ofSeconds(Long.MAX_VALUE, 999_999_999)))
                .isEqualTo("9223372036854775807s");
        assertThat(DurationText.of(Duration.ofSeconds(Long.MIN_VALUE))).isEqualTo("-9223372036854775808s");
    }
}
