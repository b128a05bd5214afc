package dev.weir.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {

    @ParameterizedTest
    @CsvSource({"500ms, 500", "10s, 10000", "1.5m, 90000", "2h, 7200000", "0.25s, 250"})
    void readsNumbersWithUnits(String written, long millis) {
        assertThat(Durations.parse(written)).contains(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "10", "s", "0s", "-1s", "1e3s", "10 s", "10d"})
    void refusesTheRest(String written) {
        assertThat(Durations.parse(written)).isEmpty();
    }
}
