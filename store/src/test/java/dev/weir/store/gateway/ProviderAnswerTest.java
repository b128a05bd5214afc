package dev.weir.store.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProviderAnswerTest {

    @Test
    void whatTheDatabaseDoesNotTakeIsReplaced() {
        assertThat(new ProviderAnswer.Taken("a\u0000b\ud800c").id()).isEqualTo("a?b?c");
        assertThat(new ProviderAnswer.Trouble("line\r\nnext").reason()).isEqualTo("line??next");
    }

    @Test
    void longTextsAreCut() {
        assertThat(new ProviderAnswer.Refused("x".repeat(10_000)).reason()).hasSize(ProviderAnswer.MOST_CHARS);
    }

    @Test
    void othersStayAsTheyAre() {
        assertThat(new ProviderAnswer.Taken("id-\u00e4\ud83d\ude00").id()).isEqualTo("id-\u00e4\ud83d\ude00");
    }
}
