package dev.weir.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StudentTTest {

    @ParameterizedTest
    @CsvSource({"1, 12.706", "2, 4.303", "3, 3.182", "4, 2.776", "7, 2.365", "8, 2.306", "30, 2.042", "120, 1.980"})
    void quantilesAreThoseOfThePublishedTables(int freedom, double expected) {
        assertThat(StudentT.quantile(0.05, freedom)).isCloseTo(expected, within(0.0006));
    }
}
