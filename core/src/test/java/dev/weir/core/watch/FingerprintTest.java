package dev.weir.core.watch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FingerprintTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "SELECT * FROM t1 WHERE id = 17 | SELECT * FROM t1 WHERE id = ?",
                "WHERE name = 'O''Hara' AND x=-1.5e3 | WHERE name = ? AND x=-?",
                "SELECT $1, col_2 | SELECT $1, col_2",
                "VALUES (1,2,'a b') | VALUES (?,?,?)",
            })
    void valuesOfAStatementAreLeftOut(String sql, String expected) {
        assertThat(Fingerprint.ofSql(sql)).isEqualTo(expected);
    }

    @Test
    void itIsOneLineOfBoundedLength() {
        assertThat(Fingerprint.of("a\n\t b\r\nc")).isEqualTo("a b c");
        assertThat(Fingerprint.ofSql("x ".repeat(1_000_000))).hasSize(303);
    }

    @Test
    void fingerprintsBeyondTheMostShareOneLine() {
        LogPace pace = new LogPace(1_000, 2);
        assertThat(pace.tryPass("a", 0)).hasValue(0);
        assertThat(pace.tryPass("b", 0)).hasValue(0);
        assertThat(pace.tryPass("c", 0)).hasValue(0);
        assertThat(pace.tryPass("d", 0)).isEmpty();
        assertThat(pace.tryPass("a", 500)).isEmpty();
        assertThat(pace.tryPass("e", 1_000)).hasValue(1);
        assertThat(pace.tryPass("a", 1_000)).hasValue(1);
    }
}
