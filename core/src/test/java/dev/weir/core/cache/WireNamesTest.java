package dev.weir.core.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class WireNamesTest {
    private final KeyEncoder<String> names = WireNames.of(KeyEncoder.text());

    @Test
    void textIsItsOwnName() {
        for (String text : List.of("", "k", "a b?", "größe", "\uD83D\uDE00", "x\uFFFF")) {
            assertThat(names.encode(text)).isEqualTo(text);
        }
    }

    @Test
    void namesThatUtf8CannotTellApartArriveAsDifferentOnes() {
        List<String> texts = List.of(
                "a\uD800",
                "a\uD801",
                "a\uDC00",
                "a?",
                "\uDE00\uD83D",
                "\uD83Da",
                "\uFFFF",
                "\uFFFF0061d800",
                "\uFFFFa");

        List<String> arrived = texts.stream()
                .map(text -> new String(names.encode(text).getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
                .toList();

        assertThat(arrived)
                .doesNotHaveDuplicates()
                .containsExactlyElementsOf(texts.stream().map(names::encode).toList());
    }
}
