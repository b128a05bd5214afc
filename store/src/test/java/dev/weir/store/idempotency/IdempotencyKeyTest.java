package dev.weir.store.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.store.problems.ProblemException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdempotencyKeyTest {

    @Test
    void quotationMarksDoNotBelongToTheKey() {
        assertThat(IdempotencyKey.of("\"a-1\"")).contains(new IdempotencyKey("a-1"));
        assertThat(IdempotencyKey.of(" a-1 ")).contains(new IdempotencyKey("a-1"));
    }

    @Test
    void theMostCharactersAreKept() {
        assertThat(IdempotencyKey.of("k".repeat(255))).contains(new IdempotencyKey("k".repeat(255)));
    }

    @Test
    void noHeaderIsNoKey() {
        assertThat(IdempotencyKey.of(null)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\"\"", "a b", "\"a", "a\"b", "ä", "\u0007"})
    void whatIsNotVisibleAsciiIsRefused(String header) {
        assertThatThrownBy(() -> IdempotencyKey.of(header))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("1 to 255");
    }
}
