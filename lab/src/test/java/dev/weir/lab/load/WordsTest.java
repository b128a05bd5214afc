package dev.weir.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WordsTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0 ms",
        "0.0123, 12.3 us",
        "0.9, 900 us",
        "3.14159, 3.14 ms",
        "31.4159, 31.4 ms",
        "200, 200 ms",
        "1500, 1.5 s",
        "59000, 59 s",
        "90000, 1.5 min"
    })
    void writesTimesInTheUnitThatKeepsThemSmall(double millis, String text) {
        assertThat(Words.time(millis)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"0.000123, 0.01%", "0.00000123, 0.00012%", "0.5, 50%", "1, 100%", "0, 0%"})
    void writesSharesInPercent(double share, String text) {
        assertThat(Words.percent(share)).isEqualTo(text);
    }

    @Test
    void groupsThousands() {
        assertThat(Words.rate(12_345.6)).isEqualTo("12,346");
        assertThat(Words.rate(12.34)).isEqualTo("12.3");
        assertThat(Words.count(1_234_567)).isEqualTo("1,234,567");
        assertThat(Words.bytes(2_621_440)).isEqualTo("2.5 MB");
    }
}
