package dev.weir.core.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LsnTest {

    @ParameterizedTest
    @ValueSource(strings = {"0/0", "0/16B3748", "16/B374D848", "7FFFFFFF/FFFFFFFF"})
    void readsWhatItWrites(String text) {
        assertThat(Lsn.format(Lsn.parse(text))).isEqualTo(text);
    }

    @Test
    void ordersByTheUpperHalfFirst() {
        assertThat(Lsn.parse("1/0")).isGreaterThan(Lsn.parse("0/FFFFFFFF"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "/", "0/", "/0", "x/0", "0/100000000", "80000000/0", "-1/0", "0/0/0"})
    void refusesWhatIsNone(String text) {
        assertThatThrownBy(() -> Lsn.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("'" + text + "' is no position");
    }

    @Test
    void rightBehindAPageHeaderTheStartOfThePageIsEnough() {
        long page = Lsn.parse("0/3000000");
        assertThat(Lsn.neededAfterInsertAt(page + 24, 8192)).isEqualTo(page);
        assertThat(Lsn.neededAfterInsertAt(page + 40, 8192)).isEqualTo(page);
        assertThat(Lsn.neededAfterInsertAt(page + 48, 8192)).isEqualTo(page + 48);
        assertThat(Lsn.neededAfterInsertAt(page, 8192)).isEqualTo(page);
    }

    @Test
    void pagesOfAnotherSizeAreLeftAlone() {
        long page = Lsn.parse("0/3002000");
        assertThat(Lsn.neededAfterInsertAt(page + 24, 16384)).isEqualTo(page + 24);
    }
}
