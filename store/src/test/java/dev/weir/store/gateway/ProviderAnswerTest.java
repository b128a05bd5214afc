package dev.weir.store.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.text.StoredText;
import org.junit.jupiter.api.Test;

class ProviderAnswerTest {

    @Test
    void whatTheProviderSaysIsKeptAsTheDatabaseTakesIt() {
        assertThat(new ProviderAnswer.Taken("a\u0000b").id()).isEqualTo("a?b");
        assertThat(new ProviderAnswer.Trouble("a\u0000b").reason()).isEqualTo("a?b");
        assertThat(new ProviderAnswer.Refused("x".repeat(10_000)).reason()).hasSize(StoredText.MOST_CHARS);
    }
}
