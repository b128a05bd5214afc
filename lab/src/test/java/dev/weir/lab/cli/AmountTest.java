package dev.weir.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class AmountTest {

    @ParameterizedTest
    @CsvSource({
        "30s, PT30S",
        "30, PT30S",
        "2m, PT2M",
        "500ms, PT0.5S",
        "1.5s, PT1.5S",
        "1h, PT1H",
        "50us, PT0.00005S",
        "0.000000001s, PT0.000000001S"
    })
    void readsTimes(String text, Duration expected) {
        assertThat(new Amount.Time().convert(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0",
                "0s",
                "-1s",
                "1d",
                "s",
                "1e3s",
                "NaN",
                "Infinity",
                "721h",
                "1 s s",
                "99999999999999999999s"
            })
    void refusesWhatIsNoTime(String text) {
        assertThatExceptionOfType(TypeConversionException.class)
                .isThrownBy(() -> new Amount.Time().convert(text))
                .withMessageContaining("'" + text + "'");
    }

    @ParameterizedTest
    @CsvSource({"1000, 1000", "1k, 1000", "1.5K, 1500", "2M/s, 2000000", "0.1, 0.1", "1000/s, 1000", "10/sec, 10"})
    void readsRates(String text, double expected) {
        assertThat(new Amount.Rate().convert(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "-5", "NaN", "1e309", "Infinity", "11M", "1000/m", "1kk", "k", "/s", "1,000"})
    void refusesWhatIsNoRate(String text) {
        assertThatExceptionOfType(TypeConversionException.class).isThrownBy(() -> new Amount.Rate().convert(text));
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "10k, 10000", "1M, 1000000", "1.5k, 1500", "1000G, 1000000000000"})
    void readsCounts(String text, long expected) {
        assertThat(new Amount.Count().convert(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "1.5", "-1", "1001G", "0x10", "99999999999999999999"})
    void refusesWhatIsNoCount(String text) {
        assertThatExceptionOfType(TypeConversionException.class).isThrownBy(() -> new Amount.Count().convert(text));
    }

    @ParameterizedTest
    @CsvSource({"65536, 65536", "64k, 65536", "1M, 1048576", "1g, 1073741824", "64KiB, 65536", "10B, 10"})
    void readsSizes(String text, long expected) {
        assertThat(new Amount.Bytes().convert(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1t", "-1", "1000g", "x"})
    void refusesWhatIsNoSize(String text) {
        assertThatExceptionOfType(TypeConversionException.class).isThrownBy(() -> new Amount.Bytes().convert(text));
    }
}
