package dev.weir.store.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StoredTextTest {

    @Test
    void whatTheDatabaseDoesNotTakeIsReplaced() {
        assertThat(StoredText.of("a\u0000b\ud800c")).isEqualTo("a?b?c");
        assertThat(StoredText.of("line\r\nnext")).isEqualTo("line??next");
    }

    @Test
    void longTextsAreCutAndNeverWithinACharacter() {
        assertThat(StoredText.of("x".repeat(10_000))).hasSize(StoredText.MOST_CHARS);
        assertThat(StoredText.of("x".repeat(StoredText.MOST_CHARS - 1) + "\ud83d\ude00"))
                .endsWith("x?");
    }

    @Test
    void othersStayAsTheyAre() {
        assertThat(StoredText.of("id-\u00e4\ud83d\ude00")).isEqualTo("id-\u00e4\ud83d\ude00");
    }
}
