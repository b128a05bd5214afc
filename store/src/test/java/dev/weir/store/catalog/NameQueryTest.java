package dev.weir.store.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NameQueryTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "Wireless; 'wireless':*",
                "  wire  HEAD ; 'wire':* & 'head':*",
                "it's | !a:* <-> (b); 'it':* & 's':* & 'a':* & 'b':*",
                "Café 4K; 'café':* & '4k':*",
                "USB-C; 'usb':* & 'c':*"
            })
    void everyWordMustBeginAWord(String typed, String query) {
        assertThat(NameQuery.of(typed)).isEqualTo(query);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "   ", "!?-'"})
    void withoutAWordThereIsNothingToSearch(String typed) {
        assertThat(NameQuery.of(typed)).isEmpty();
    }
}
